// Translates classes to local structs. A class that derives from nn.Module also gets a holder.
#include <fmt/format.h>
#include <tools/import/translate/dtypes.h>
#include <tools/import/translate/lower/translator.h>
#include <tools/import/translate/tables/layers.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Returns the names of the methods that a method may call on its own object.
Names methods_used(const Node& method) {
  Names names;
  if (is_constructor(method)) return names;
  method.walk([&](const Node& each) {
    if (each.is("Attribute")) names.emplace(each.text("attr"));
    if (called_name(each) == "self") names.emplace("forward");
    if (const auto called = called_name(each); !called.empty()) names.emplace(called);
  });
  return names;
}

/// Returns the methods of a class: first the constructor, and each after those that it uses.
std::vector<Node> in_order_of_calls(const std::vector<Node>& statements) {
  std::vector<Node> methods;
  for (const bool constructors : {true, false}) {
    for (const auto& each : statements) {
      if (each.is("FunctionDef") && is_constructor(each) == constructors) methods.push_back(each);
    }
  }
  return in_order_of_use(methods, methods_used);
}

/// Whether objects of a class change after they are made. `assigned` are the attributes that are assigned
/// elsewhere.
bool changes_objects(const Node& node, const Names& assigned) {
  const auto body = node.list("body");
  const auto changes = [](const Node& each) {
    return each.is("FunctionDef") && !is_constructor(each) && changes_self(each);
  };
  return std::any_of(body.begin(), body.end(), changes) ||
         node.any([&](const Node& each) { return is_of_self(each) && assigned.contains(each.text("attr")); });
}

/// Returns the constants that a class defines. They are assigned at the beginning of `constructor`,
/// where the reader of Python's tree has put them.
std::map<std::string, Node, std::less<>> constants_of_class(const Node& constructor) {
  std::map<std::string, Node, std::less<>> constants;
  for (const auto& each : constructor.list("body")) {
    const bool written = each.line() > constructor.line() && each.line() <= constructor.last_line();
    const bool assigns =
        each.is("Assign") && each.list("targets")[0].is("Attribute") && each.child("value").is("Constant");
    if (!written && assigns) constants.emplace(each.list("targets")[0].text("attr"), each.child("value"));
  }
  return constants;
}

/// A method with an `auto` parameter is a template, which a local class of C++ cannot have.
void refuse_templates(const std::vector<cpp::Parameter>& parameters) {
  const bool takes_any = std::any_of(parameters.begin(), parameters.end(), [](const auto& each) {
    return each.type == "const auto&" || each.type == "auto";
  });
  if (takes_any) throw NotPorted("a method takes a function, or a module of a list");
}

void erase_writes_of_members(cpp::Effects& effects) {
  std::erase_if(effects.writes, [](const cpp::Effect& each) {
    return each.place == cpp::Place::field ||
           (each.place == cpp::Place::contents && each.name.starts_with('.'));
  });
}

/// Throws NotPorted if a method does not return what the method of a common base does.
void refuse_other_result(const Function& shared, const Function& method) {
  const bool same =
      shared.result == method.result || (!shared.result.is(Kind::none) && !method.result.is(Kind::none) &&
                                         cpp_type(shared.result) == cpp_type(method.result));
  if (!same) throw NotPorted("a method that several classes have returns different types");
}

bool is_property(const Node& method) {
  const auto decorators = method.list("decorator_list");
  return decorators.size() == 1 && decorators[0].is_name("property");
}

/// Whether a method uses `self.name`. A call of `self` uses forward.
bool uses_of_self(const Node& method, std::string_view name) {
  return method.any([&](const Node& each) {
    const bool own = is_of_self(each) && each.text("attr") == name;
    return own || (name == "forward" && called_name(each) == "self");
  });
}

/// Returns the call `super().__init__(…)` if a constructor begins with it, not counting a
/// docstring; otherwise nullopt.
std::optional<Node> call_of_base(const Node& constructor) {
  for (const auto& each : constructor.list("body")) {
    const auto value = each.is("Expr") ? each.child("value") : each;
    if (value.is("Constant")) continue;
    const auto function = value.is("Call") ? value.child("func") : value;
    const bool super = function.is("Attribute") && is_super(function.child("value"));
    return super && function.text("attr") == "__init__" ? std::optional(value) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

/// Returns the result type and name of a method: `int64_t size`.
std::string Translator::name_and_result(const NewClass& made, const Function& function,
                                        const std::string& name) {
  static const std::map<std::string_view, std::string_view> special = {
      {"__len__", "size"}, {"__getitem__", "operator[]"}, {"__call__", "operator()"}};
  if (name == "__init__") return made.code + (made.is_module ? "Impl" : "");
  const auto found = made.is_module ? special.end() : special.find(name);
  const auto code = found == special.end() ? name : std::string(found->second);
  if (!is_plain_name(name) && code == name) throw NotPorted("the method {} is not translated", name);
  const bool reads = found != special.end() && name != "__call__";
  if (reads && cpp::changes_values(function.effects) && !made.is_shared)
    throw NotPorted("an object changes when it is read");
  return fmt::format("{} {}", function.result.is(Kind::none) ? "void" : cpp_type(function.result), code);
}

NewClass* Translator::base_of(const NewClass& made) {
  return made.base.empty() ? nullptr : &classes_.at(made.base);
}

/// Copies the members and methods of a base class. Refuses overrides of methods that the base class
/// calls: methods in the C++ are not virtual.
void Translator::inherit(NewClass& made, const Node& node, std::string_view name) {
  const auto* variable = scope().find(name);
  auto* const base = variable != nullptr && variable->type.is(Kind::new_class) && variable->missing.empty()
                         ? &classes_.at(variable->type.name())
                         : nullptr;
  if (base == nullptr || !base->is_module) throw NotPorted("the base class {} is not known", name);
  made.base = base->key;
  made.members = base->members;
  made.codes = base->codes;
  made.lists = base->lists;
  for (const auto& [method, function] : base->methods) {
    if (method != "__init__") made.methods.emplace(method, function);
  }
  for (const auto& each : node.list("body")) {
    if (!each.is("FunctionDef") || is_constructor(each)) continue;
    const auto method = each.text("name");
    const bool called = std::any_of(base->nodes.begin(), base->nodes.end(),
                                    [&](const Node& other) { return uses_of_self(other, method); });
    if (called) throw NotPorted("it overrides the method {}, which its base class calls", method);
  }
  made.nodes = base->nodes;
}

/// Declares the pointer through which classes and the functions that they call print, above the first of
/// them.
void Translator::declare_notebook_pointer(const cpp::Stmts& body) {
  if (has_notebook_pointer_ || !cpp::mentioned_in(body).contains("notebook")) return;
  has_notebook_pointer_ = true;
  emit(cpp::Declare{.type = "static torchbook::Notebook*", .name = "notebook"});
  emit(cpp::Assign{.to = cpp::name("notebook"), .value = cpp::unary("&", cpp::name("nb"))});
}

/// Adds the methods that a class has itself.
void Translator::add_methods(NewClass& made, const Node& node) {
  for (const auto& each : node.list("body")) {
    const bool docstring = each.is("Expr") && each.child("value").is("Constant");
    if (docstring || each.is("Pass")) continue;
    if (!each.is("FunctionDef"))
      throw NotPorted("a class has a statement that is neither def nor a constant");
    const auto method = std::string(each.text("name"));
    if (method == "__repr__" || method == "__str__")
      continue;  // Python calls them to print, and C++ does not
    // A method of a common base and those that override it have the same parameters.
    const auto* shared = method == "__init__" ? nullptr : facts_->common_base(made.key);
    const bool overrides = shared != nullptr && shared->used.contains(method);
    const auto definition = fmt::format("{}:{}", overrides ? key_of_base(shared->name) : made.key, method);
    try {
      made.methods[method] = function_of(each, definition, /*is_method=*/true);
    } catch (const NotPorted&) {
      made.methods.erase(method);
      if (!never_called(each)) throw;
      continue;
    }
    note_observed(each, made.methods[method]);
    made.methods[method].is_property = is_property(each);
    if (is_constructor(each)) made.constants = constants_of_class(each);
  }
}

/// Returns which of the names a value reads when it is called, or when a method of it is; empty if none.
/// `seen` are the classes that were looked at.
std::string Translator::name_read_by(const Type& type, const Names& names, std::set<std::string>& seen) {
  const auto read_by = [&](const Function& function) {
    const auto found = std::find_if(function.outer_names.begin(), function.outer_names.end(),
                                    [&](const auto& name) { return names.contains(name); });
    return found == function.outer_names.end() ? std::string() : *found;
  };
  if (type.is(Kind::function)) {
    const auto found = functions_.find(type.name());
    return found == functions_.end() ? std::string() : read_by(found->second);
  }
  const auto* made = type.is(Kind::new_class) ? &classes_.at(type.name()) : class_of(type);
  std::vector<Type> held = type.items;
  std::string name;
  if (made != nullptr && seen.insert(made->key).second) {
    for (const auto& [method, function] : made->methods) {
      if (name.empty() && (method != "__init__" || type.is(Kind::new_class))) name = read_by(function);
    }
    for (const auto& [member, of] : made->members) held.push_back(of);
    for (const auto& [key, other] : classes_) {
      if (made->is_common_base && other.common_base == made->code) held.push_back(object_of(other));
    }
  }
  for (const auto& each : held) {
    if (name.empty()) name = name_read_by(each, names, seen);
  }
  return name;
}

/// Makes the functions, classes and objects unknown that read one of these names. `why` says why the name is
/// not what they read.
void Translator::lose_readers(Names names, const std::function<Lost(const std::string& name)>& why) {
  for (std::size_t count = 0; std::exchange(count, names.size()) != names.size();) {
    for (const auto& reader : notebook_.scope.names()) {
      if (names.contains(reader)) continue;
      std::set<std::string> seen;
      const auto name = name_read_by(notebook_.scope.own(reader)->type, names, seen);
      if (name.empty()) continue;
      const auto lost = why(name);
      notebook_.scope.lose(reader, fmt::format("{} reads {}{}", reader, name, lost.why), lost.cell);
      names.insert(reader);
    }
  }
}

std::string Translator::head_of_class(const NewClass& made) {
  if (!made.common_base.empty()) return fmt::format("struct {} : {}", made.code, made.common_base);
  if (!made.is_module) return "struct " + made.code;
  const auto* const base = base_of(made);
  return fmt::format("struct {}Impl : {}", made.code,
                     base == nullptr ? "torch::nn::Module" : base->code + "Impl");
}

/// Makes unknown what reads a name that gets another variable or class in C++: Python looks the name up when
/// the reader runs, and in C++ it means the one above.
void Translator::lose_readers_of(const std::string& name) {
  const auto* before = scope().own(name);
  if (before == nullptr || before->code.empty()) return;
  if (!frame_->is_notebook && frame_->uses.read_by_functions.contains(name))
    throw NotPorted("{} changes its type, and a function inside reads it", name);
  if (!frame_->is_notebook) return;
  lose_readers({name}, [&](const std::string& read) -> Lost {
    return {read == name ? ", which is defined again" : fmt::format(", which reads {}", name), cell_};
  });
}

void Translator::define_class(const Node& node) {
  const auto bases = node.list("bases");
  const auto path = bases.size() == 1 ? path_of(bases[0]) : std::nullopt;
  const bool extends = bases.size() == 1 && !path && bases[0].is("Name");
  const bool is_dataset = path == "torch.utils.data.Dataset";
  const bool plain = node.list("decorator_list").empty() && node.list("keywords").empty();
  const bool is_object = is_dataset || bases.empty();
  if (path == "torch.autograd.Function" && plain) return define_autograd_function(node);
  if ((path != "torch.nn.Module" && !is_object && !extends) || !plain) {
    throw NotPorted("the base of a class is none of nn.Module, autograd.Function, Dataset or the notebook");
  }
  if (!frame_->is_notebook) throw NotPorted("a class is defined inside of a function");
  const auto name = std::string(node.text("name"));
  const auto definition = key(node, name);
  lose_readers_of(name);
  auto& variable = scope().declare(name, named_type(Kind::new_class, definition));
  auto& made = classes_[definition] = {.is_module = !is_object, .key = definition, .code = variable.code};
  if (extends) inherit(made, node, bases[0].text("id"));
  made.nodes.push_back(node);
  add_methods(made, node);
  derive_from_common_base(made);
  made.is_shared = !made.common_base.empty() ||
                   (!made.is_module && changes_objects(node, notebook_.uses.assigned_attributes));
  const bool constructs = made.methods.contains("__init__");
  if (!constructs && extends) made.methods["__init__"] = base_of(made)->methods.at("__init__");
  if (!constructs && !extends) made.methods["__init__"] = {.key = definition + ":__init__"};
  const auto& constructor = made.methods["__init__"];
  learn_later(constructor.key, [this, &made, node] {
    const auto* base = base_of(made);
    made.members = base == nullptr ? decltype(made.members)() : base->members;
    made.order.clear();
    class_body(made, node);
  });
  if (!knows_parameters(constructor, never_used(node))) return;
  auto body = captured([&] {
    if (extends && !constructs && !constructor.parameters.empty())
      emit(cpp::Plain{fmt::format("using {0}Impl::{0}Impl;", base_of(made)->code)});
    class_body(made, node);
  });
  declare_notebook_pointer(body);
  emit(cpp::Struct{.head = head_of_class(made), .body = std::move(body), .proved = proved_members(made)});
  if (made.is_module) emit(cpp::Plain{fmt::format("TORCH_MODULE({});", made.code)});
}

/// Returns a member function for the proving program, which tells what the members hold.
std::string Translator::proved_members(const NewClass& made) {
  std::string members;
  for (const auto& [name, type] : made.members) {
    const auto code = made.codes.find(name);
    const bool told = type.is(Kind::module) || type.is(types::Leaf::parameter);
    const bool held = code != made.codes.end() && !type.is(Kind::none) && !type.is(Kind::picture);
    if (held && !told) members += proved_member(name, code->second);
  }
  return fmt::format(
      "std::string proved() const {{ return torchbook::proof::object({}torchbook::proof::Members{{{}}}); }}",
      made.is_module ? "*this, " : "", members);
}

/// Translates a method. If nothing reaches it, it needs no translation.
void Translator::method_if_it_runs(NewClass& made, const Node& node) {
  const auto name = node.text("name");
  const auto write = [&] {
    if_learned([&] { method(made, node); });
    comments_behind(node, 0);
  };
  or_never_ran(never_called(node) && !is_constructor(node), write, [&](const NotPorted& why) {
    const bool taken = made.is_module && is_member_of_module(name);
    never_ran(node.line(), fmt::format("void {}{}() {{ ", name, taken ? "_" : ""), " }", why);
  });
}

void Translator::class_body(NewClass& made, const Node& node) {
  const auto methods = in_order_of_calls(node.list("body"));
  made.renamed = made.code != node.text("name");
  bool first = true;
  for (const auto& each : methods) {
    const auto found = made.methods.find(each.text("name"));
    if (found == made.methods.end()) continue;  // it is not translated
    if (!is_constructor(each))
      learn_later(fmt::format("{}:{}", made.key, found->first), [this, &made, each] { method(made, each); });
    if (!knows_parameters(found->second, never_called(each))) continue;
    auto written = captured([&] { method_if_it_runs(made, each); });
    if (written.empty()) continue;  // a constructor that only calls that of nn.Module
    if (!std::exchange(first, false)) emit(cpp::Plain{});
    comments_between(above_with_comments(each), each.line(), /*first=*/true);
    add(std::move(written));
  }
  if (const auto* shared = facts_->common_base(made.key); shared != nullptr && shared->is_named) {
    if (made.members.contains("class_name") || made.methods.contains("class_name"))
      throw NotPorted("a class has an attribute class_name");
    if (!std::exchange(first, false)) emit(cpp::Plain{});
    emit(cpp::Plain{
        fmt::format("std::string class_name() const override {{ return \"{}\"; }}", node.text("name"))});
  }
  auto own = made.order;
  std::erase_if(own, [&](const std::string& name) {
    return !made.common_base.empty() && classes_.at(key_of_base(made.common_base)).members.contains(name);
  });
  if (!own.empty() && !first) emit(cpp::Plain{});
  for (const auto& name : own)
    if_learned([&] { emit(declared_first(made.members.at(name), made.codes.at(name))); });
}

void Translator::method(NewClass& made, const Node& node) {
  const auto name = std::string(node.text("name"));
  auto& function = made.methods[name];
  const auto* const shared = overridden(made, name);
  auto types = parameter_types(node, function);
  for (auto& type : types) type.know_dimensions(shared == nullptr ? type.dimensions() : -1);
  Frame frame{.scope = Scope(&notebook_.scope), .outer = &notebook_};
  frame.of_class = &made;
  frame.is_constructor = name == "__init__";
  frame.result_key = function.key + " result";
  frame_ = &frame;
  auto list = parameter_list(function, node, types);
  refuse_templates(list);
  const bool overrides = shared != nullptr && shared->translated;
  for (std::size_t i = 0; overrides && i < list.size(); ++i) list[i].type = cpp_type(types[i]);
  if (shared != nullptr) frame.wanted = shared->result;
  const auto base = !made.base.empty() && frame.is_constructor ? base_constructor(made, node) : cpp::Expr{};
  const bool plain = !base || base.parts().empty();
  if (made.is_module && list.empty() && frame.is_constructor && node.list("body").size() == 1 && plain) {
    frame_ = &notebook_;
    return;  // it only calls that of nn.Module
  }
  auto body = captured([&] {
    if (!function.is_property && is_without_gradients(node)) emit(cpp::Plain{"torch::NoGradGuard no_grad;"});
    block_statements(node.list("body"));
  });
  end_function(node, function, body);
  if (base) function.effects.add(base.effects());
  if (frame.is_constructor) erase_writes_of_members(function.effects);  // they are those of a new object
  if (overrides) refuse_other_result(*shared, function);
  if (made.called_early.contains(name) && !function.result.is(Kind::none))
    throw NotPorted("__init__ takes what a method gives");
  const bool changes = made.is_module || made.is_shared || frame.is_constructor;
  const auto* const prefix = frame.is_constructor && list.size() == 1 ? "explicit " : "";
  const auto* const tail = overrides ? " override" : changes ? "" : " const";
  emit(cpp::Method{.head = prefix + name_and_result(made, function, name),
                   .parameters = std::move(list),
                   .tail = tail,
                   .base = plain ? cpp::Expr{} : base,
                   .body = std::move(body)});
}

/// Calls a method of the class that is being translated. The constructor is translated first, so it
/// can only call methods that return nothing.
Value Translator::call_own_method(Function& method, const std::string& name, const Arguments& arguments) {
  const bool early = frame_->is_constructor && !method.translated;
  const Call call = [&](std::vector<cpp::Expr> given) { return cpp::call(name, std::move(given)); };
  if (!early) return call_function(method, call, arguments);
  method.translated = true;
  method.result = {};
  auto value = call_function(method, call, arguments);
  method.translated = false;
  frame_->of_class->called_early.insert(name);
  return value;
}

/// Returns the call of the base class's constructor at the beginning of a constructor.
cpp::Expr Translator::base_constructor(const NewClass& made, const Node& node) {
  const auto call = call_of_base(node);
  if (!call) throw NotPorted("__init__ does not begin with super().__init__()");
  cpp::Expr base;
  const auto before = captured([&] {
    const auto given = arguments(*call);
    base = construct(*base_of(made), given).expr;
  });
  if (!before.empty()) throw NotPorted("an argument of super().__init__() needs a variable");
  return cpp::call(base_of(made)->code + "Impl", base.parts()).with(base.effects());
}

/// `super().__init__()` and `super().forward(x)`
Value Translator::call_super(const Node& node) {
  const auto name = std::string(node.child("func").text("attr"));
  auto* const base = frame_->of_class == nullptr ? nullptr : base_of(*frame_->of_class);
  if (name == "__init__" && frame_->is_constructor && (base != nullptr || node.list("args").empty()))
    return nothing();  // what a constructor begins with
  if (base == nullptr || !base->methods.contains(name) || frame_->is_constructor)
    throw NotPorted("it calls a method of a base class that the notebook does not define");
  return call_function(
      base->methods.at(name),
      [&](std::vector<cpp::Expr> given) {
        return cpp::call(fmt::format("{}Impl::{}", base->code, name), std::move(given));
      },
      arguments(node));
}

Value Translator::construct(NewClass& made, const Arguments& arguments) {
  if (made.is_autograd) throw NotPorted("it makes an object of a class of autograd.Function");
  auto& constructor = made.methods.at("__init__");
  std::vector<Type> types;
  const auto ordered = in_order(constructor, arguments, types);
  learn_call(constructor, types);
  frame_->raises = frame_->raises || constructor.raises;
  auto codes = argument_codes(ordered);
  const bool takes_braces = !made.is_module && !made.is_shared;
  for (std::size_t i = 0; !takes_braces && i < codes.size(); ++i) {
    const auto& argument = ordered[i];
    if (argument.is(Kind::none)) codes[i] = none_of(facts_->parameters(constructor.key)->at(i));
    if (argument.literal && !argument.elements.empty())
      codes[i] = argument.is(Kind::list) ? typed(argument, argument.type).expr : printable(argument);
  }
  const auto function = made.is_shared ? fmt::format("std::make_shared<{}>", made.code) : made.code;
  const auto effects = constructor.translated ? constructor.effects : cpp::Effects{};
  const auto count = codes.size();
  auto expr = cpp::call(function, std::move(codes)).with(effects);
  expr = expr.in_order(order_of_call(expr, constructor, arguments, count));
  if (made.is_module) expr = expr.held_as("auto");
  return value_of(made.is_module ? module_type(made.code) : object_of(made), expr);
}

Type Translator::object_of(const NewClass& made) {
  if (!made.is_shared) return object_type(made.code);
  const auto pointer = [](std::string_view code) { return fmt::format("std::shared_ptr<{}>", code); };
  if (made.common_base.empty()) return object_type(pointer(made.code));
  return object_type(pointer(made.code), {object_type(pointer(made.common_base))});
}

void Translator::need_to_print_modules() {
  const bool renamed =
      std::any_of(classes_.begin(), classes_.end(), [](const auto& entry) { return entry.second.renamed; });
  if (renamed) throw NotPorted("it prints a module, and a class is defined twice");
  need("#include <torchbook/pyrepr/module.h>");
}

Value Translator::call_module(const Value& module, const Arguments& arguments) {
  const Call called = [&](std::vector<cpp::Expr> given) {
    return cpp::invoke(module.expr, std::move(given));
  };
  if (module.is(Kind::function)) return call_function(function_named(module.type.name()), called, arguments);
  auto* of_object = class_used(module.type, "__call__");
  if (of_object != nullptr && of_object->methods.contains("__call__")) {
    const auto object = of_object->is_shared ? cpp::unary("*", module.expr) : module.expr;
    const auto call = [&](const std::vector<cpp::Expr>& given) { return cpp::invoke(object, given); };
    return call_function(of_object->methods.at("__call__"), call, arguments);
  }
  if (!module.is(Kind::module))
    throw NotPorted("it calls {}{}, and not a function or module",
                    module.expr.is(cpp::Kind::name) ? module.expr.text() + ", which is " : "",
                    in_words(module.type));
  const auto& type = module.type;
  if (type.is(types::Held::unknown)) throw NotPorted("it calls a module of a class that is not known");
  const Call written = [&](std::vector<cpp::Expr> given) {
    if (type.is(types::Held::element)) {
      const auto as = cpp::arrow_method(module.expr, fmt::format("as<{}>", type.name()));
      return cpp::arrow_method(as, "forward", given);
    }
    if (type.name() == any_module) return cpp::method(module.expr, "forward", given);
    // The call operator of a module holder is a template, which cannot deduce the type of braces.
    const bool braces =
        class_of(type) != nullptr && std::any_of(given.begin(), given.end(), [](const cpp::Expr& each) {
          return each.is(cpp::Kind::braces) && each.text().empty();
        });
    const bool direct = braces || type.is(types::Held::pointer) || type.name() == "torch::nn::Sequential";
    return direct ? cpp::arrow_method(module.expr, "forward", given) : called(given);
  };
  if (auto* made = class_of(type)) {
    const auto forward = made->methods.find("forward");
    if (forward == made->methods.end()) throw NotPorted("it calls a module without forward");
    auto result = call_function(forward->second, written, arguments);
    // C++ would need `.template item<double>()` of what a template's parameter gives.
    if (is_of_class_below(type)) result.type = without_numbers(result.type);
    return result;
  }
  return call_layer(module, written, arguments);
}

/// Returns the arguments of `attention(query, key, value, attn_mask=mask, need_weights=False)`.
std::vector<cpp::Expr> Translator::attention_arguments(const Arguments& arguments) {
  struct Parameter {
    std::string_view name;
    Kind kind;
    cpp::Expr otherwise;
  };
  const auto none = cpp::call("Tensor", {});
  const std::vector<Parameter> parameters = {{"query", Kind::tensor, {}},
                                             {"key", Kind::tensor, {}},
                                             {"value", Kind::tensor, {}},
                                             {"key_padding_mask", Kind::tensor, none},
                                             {"need_weights", Kind::boolean, cpp::boolean(true)},
                                             {"attn_mask", Kind::tensor, none},
                                             {"average_attn_weights", Kind::boolean, cpp::boolean(true)}};
  std::vector<cpp::Expr> codes;
  std::size_t used = 0, given = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& [name, kind, otherwise] = parameters[i];
    const auto* value = arguments.find(name, i);
    const bool is_none = value != nullptr && value->is(Kind::none) && otherwise && kind == Kind::tensor;
    if (value == nullptr && !otherwise) throw NotPorted("attention lacks the argument {}", name);
    if (value != nullptr && !is_none && !value->is(kind))
      throw NotPorted("the argument {} of attention is {}", name, in_words(value->type));
    codes.push_back(value == nullptr || is_none ? otherwise : value->expr);
    used += value != nullptr ? 1 : 0;
    if (value != nullptr) given = i + 1;
  }
  if (used != arguments.count()) throw NotPorted("attention has an argument that is not translated");
  codes.resize(given);
  std::size_t acting = 0;
  for (const auto& code : codes) acting += code.acts() ? 1 : 0;
  if (acting > 1) throw NotPorted("several arguments of attention draw or change something");
  return codes;
}

/// Calls a layer of LibTorch.
Value Translator::call_layer(const Value& module, const Call& call, const Arguments& arguments) {
  std::vector<cpp::Expr> codes;
  const auto* const layer = layer_of(module.type);
  if (layer != nullptr && layer->gives == Gives::attention)
    return value_of(layer->result(), call(attention_arguments(arguments)).with_only(layer->effects()));
  Type result = layer == nullptr ? Type(Kind::tensor) : layer->result();
  for (const auto& value : arguments.positional) {
    const bool state = !codes.empty() && value.is(Kind::tuple) && !result.is(Kind::tensor);  // of an LSTM
    if (!value.is(Kind::tensor) && !state)
      throw NotPorted("a layer is called with something else than tensors");
    codes.push_back(state && value.literal ? printable(value) : value.expr);
    if (value.is(Kind::tensor) && !value.type.is(types::Leaf::no))
      result = *common_type(value.type, Type(Kind::tensor));
  }
  if (!arguments.named.empty() || codes.empty()) throw NotPorted("a layer is called with names");
  if (module.type.name().ends_with("Loss")) result.know_numbers(Numbers::floating);
  if (result.is(Kind::tensor)) know_result_of(module.type, arguments.positional[0].type, result);
  const auto effects = effects_of_module(module.type);
  changes_ += cpp::changes_values(effects) ? 1 : 0;
  return value_of(result, call(std::move(codes)).with_only(effects));
}

/// Returns the effects of calling a module.
cpp::Effects Translator::effects_of_module(const Type& module) {
  if (const auto* layer = layer_of(module)) return layer->effects();
  if (const auto* made = class_of(module)) {
    const auto forward = made->methods.find("forward");
    return forward == made->methods.end() ? cpp::everything() : forward->second.effects;
  }
  auto effects = cpp::reads(cpp::Place::memory);
  for (const auto& part : module.items) effects.add(effects_of_module(part));
  if (!module.items.empty()) return effects;
  effects.add(cpp::writes(cpp::Place::memory));  // of what is not known
  effects.add(cpp::draws());
  return effects;
}

}  // namespace torchbook::translate
