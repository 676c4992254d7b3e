#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/translate/classes/autograd_functions.h>
#include <tools/import/translate/classes/classes.h>
#include <tools/import/translate/classes/common_bases.h>
#include <tools/import/translate/classes/members.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/printing.h>
#include <tools/import/translate/functions/function_calls.h>
#include <tools/import/translate/functions/functions.h>
#include <tools/import/translate/functions/parameter_types.h>
#include <tools/import/translate/kinds/orders.h>
#include <tools/import/translate/kinds/sequences.h>
#include <tools/import/translate/rows/layers.h>
#include <tools/import/translate/statements/comments.h>
#include <tools/import/translate/statements/narrowing.h>
#include <tools/import/translate/statements/statements.h>

#include <algorithm>
#include <set>
#include <string>

namespace torchbook::translate {
namespace {

/// Returns the names of the methods that a method may call on its own object.
Names methods_used(const Node& method) {
  Names names;
  if (is_constructor(method)) return names;
  method.walk([&](const Node& each) {
    if (each.is(Ast::Attribute)) names.emplace(each.attr());
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
      if (each.is(Ast::FunctionDef) && is_constructor(each) == constructors) methods.push_back(each);
    }
  }
  return in_order_of_use(methods, methods_used);
}

/// Whether objects of a class change after they are made. `assigned` are the attributes that are assigned
/// elsewhere.
bool changes_objects(const Node& node, const Names& assigned) {
  const auto body = node.body();
  const auto changes = [](const Node& each) {
    return each.is(Ast::FunctionDef) && !is_constructor(each) && changes_self(each);
  };
  return std::any_of(body.begin(), body.end(), changes) ||
         node.any([&](const Node& each) { return is_of_self(each) && assigned.contains(each.attr()); });
}

/// Returns the constants that a class defines. They are assigned at the beginning of `constructor`,
/// where the reader of Python's tree has put them.
std::map<std::string, Node, std::less<>> constants_of_class(const Node& constructor) {
  std::map<std::string, Node, std::less<>> constants;
  for (const auto& each : constructor.body()) {
    const bool written = each.line() > constructor.line() && each.line() <= constructor.last_line();
    const bool assigns =
        each.is(Ast::Assign) && each.targets()[0].is(Ast::Attribute) && each.value().is(Ast::Constant);
    if (!written && assigns) constants.emplace(each.targets()[0].attr(), each.value());
  }
  return constants;
}

/// A method with an `auto` parameter is a template, which a local class of C++ cannot have.
void refuse_templates(const std::vector<cpp::Parameter>& parameters) {
  const bool takes_any = std::any_of(parameters.begin(), parameters.end(), [](const auto& each) {
    return each.type == "const auto&" || each.type == "auto";
  });
  if (takes_any) refuse("a method takes a function, or a module of a list");
}

void erase_writes_of_members(Builder& b, cpp::Effects& effects) {
  const auto is_global = [&](const std::string& code) {
    const auto* variable = b.notebook.scope.with_code(code);
    return variable != nullptr && variable->is_global;
  };
  std::erase_if(effects.writes, [&](const cpp::Effect& each) {
    return (each.place == cpp::Place::field && !is_global(each.name)) ||
           (each.place == cpp::Place::contents && each.name.starts_with('.'));
  });
}

/// Throws NotPorted if a method and that of its common base return different types.
void refuse_other_result(const Function& shared, const Function& method) {
  const bool same =
      shared.result == method.result || (!shared.result.is(Kind::none) && !method.result.is(Kind::none) &&
                                         cpp_type(shared.result) == cpp_type(method.result));
  if (!same) refuse("a method that several classes have returns different types");
}

/// Whether a method uses `self.name`. A call of `self` uses forward.
bool uses_of_self(const Node& method, std::string_view name) {
  return method.any([&](const Node& each) {
    const bool own = is_of_self(each) && each.attr() == name;
    return own || (name == "forward" && called_name(each) == "self");
  });
}

/// Returns the call `super().__init__(…)` if a constructor begins with it, not counting a
/// docstring; otherwise nullopt.
std::optional<Node> call_of_base(const Node& constructor) {
  for (const auto& each : constructor.body()) {
    const auto value = each.is(Ast::Expr) ? each.value() : each;
    if (value.is(Ast::Constant)) continue;
    const auto function = value.is(Ast::Call) ? value.func() : value;
    const bool super = function.is(Ast::Attribute) && is_super(function.value());
    return super && function.attr() == "__init__" ? std::optional(value) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

bool is_property(const Node& method) {
  const auto decorators = method.decorator_list();
  return decorators.size() == 1 && decorators[0].is_name("property");
}

/// Calls an element of an nn.ModuleList of several classes.
static cpp::Expr called_as(const Value& module, std::vector<cpp::Expr> given) {
  if (module.type.items.empty()) refuse("it calls a module of a class that is not known");
  std::vector<std::string> names;
  for (const auto& each : module.type.items) names.push_back(each.name());
  given.insert(given.begin(), module.expr);
  return cpp::call(fmt::format("torchbook::nn::called_as<{}>", fmt::join(names, ", ")), std::move(given));
}

std::string name_and_result(const NewClass& made, const Function& function, const std::string& name) {
  static const std::map<std::string_view, std::string_view> special = {
      {"__len__", "size"}, {"__getitem__", "operator[]"}, {"__call__", "operator()"}};
  if (name == "__init__") return made.code + (made.is_module ? "Impl" : "");
  const auto found = made.is_module ? special.end() : special.find(name);
  const auto code = found == special.end() ? name : std::string(found->second);
  if (!is_plain_name(name) && code == name) refuse("the method {} is not translated", name);
  const bool reads = found != special.end() && name != "__call__";
  const bool changes = std::any_of(
      function.effects.writes.begin(), function.effects.writes.end(),
      [](const auto& each) { return each.place == cpp::Place::contents || each.place == cpp::Place::field; });
  if (reads && changes && !made.is_shared) refuse("reading an attribute changes an object");
  return fmt::format("{} {}", function.result.is(Kind::none) ? "void" : cpp_type(function.result), code);
}

NewClass* base_of(Builder& b, const NewClass& made) {
  return made.base.empty() ? nullptr : &b.defined.classes.at(made.base);
}

/// Returns the call of the base class's constructor at the beginning of a constructor.
static cpp::Expr base_constructor(Builder& b, const NewClass& made, const Node& node) {
  const auto call = call_of_base(node);
  if (!call) refuse("__init__ does not begin with super().__init__()");
  cpp::Expr base;
  const auto before = b.captured([&] {
    const auto given = arguments(b, *call);
    base = construct(b, *base_of(b, made), given).expr;
  });
  if (!before.empty()) refuse("an argument of super().__init__() needs a variable");
  return cpp::call(base_of(b, made)->code + "Impl", base.parts()).with(base.effects());
}

static cpp::Stmts body_of_method(Builder& b, const Function& function, const Node& node) {
  return b.captured([&] {
    if (!function.is_property && is_without_gradients(b, node))
      b.emit(cpp::Plain{"torch::NoGradGuard no_grad;"});
    block_statements(b, node.body());
  });
}

static void method(Builder& b, NewClass& made, const Node& node) {
  const auto name = std::string(node.name());
  auto& function = made.methods[name];
  const auto* const shared = overridden(b, made, name);
  auto types = parameter_types(b, node, function);
  for (auto& type : types) type.know_dimensions(shared == nullptr ? type.dimensions() : -1);
  Frame frame{.scope = Scope(&b.notebook.scope), .outer = &b.notebook};
  frame.of_class = &made;
  frame.called = b.called(node);
  frame.is_constructor = name == "__init__";
  frame.key = function.key;
  b.frame = &frame;
  auto list = parameter_list(b, function, node, types);
  refuse_templates(list);
  const bool overrides = shared != nullptr && shared->translated;
  for (std::size_t i = 0; overrides && i < list.size(); ++i) list[i].type = cpp_type(types[i]);
  if (shared != nullptr) frame.wanted = shared->result;
  const auto base =
      !made.base.empty() && frame.is_constructor ? base_constructor(b, made, node) : cpp::Expr{};
  const bool plain = !base || base.parts().empty();
  if (made.is_module && list.empty() && frame.is_constructor && node.body().size() == 1 && plain) {
    b.frame = &b.notebook;
    return;  // it only calls that of nn.Module
  }
  auto body = body_of_method(b, function, node);
  end_function(b, node, function, body);
  if (base) function.effects.add(base.effects());
  if (frame.is_constructor) erase_writes_of_members(b, function.effects);  // they are those of a new object
  if (overrides) refuse_other_result(*shared, function);
  if (made.called_early.contains(name) && !function.result.is(Kind::none))
    refuse("__init__ uses the result of a method");
  const bool changes = made.is_module || made.is_shared || frame.is_constructor;
  const auto* const prefix = frame.is_constructor && list.size() == 1 ? "explicit " : "";
  const auto* const tail = overrides ? " override" : changes ? "" : " const";
  b.emit(cpp::Method{.head = prefix + name_and_result(made, function, name),
                     .parameters = std::move(list),
                     .tail = tail,
                     .base = plain ? cpp::Expr{} : base,
                     .body = std::move(body)});
}

/// Copies the members and methods of a base class. Refuses overrides of methods that the base class
/// calls: methods in the C++ are not virtual.
static void inherit(Builder& b, NewClass& made, const Node& node, std::string_view name) {
  const auto* variable = b.scope().find(name);
  auto* const base = variable != nullptr && variable->type.is(Kind::new_class) && variable->missing.empty()
                         ? &b.defined.classes.at(variable->type.name())
                         : nullptr;
  if (base == nullptr || !base->is_module) refuse("the base class {} is not known", name);
  made.base = base->key;
  made.members = base->members;
  made.codes = base->codes;
  for (const auto& [method, function] : base->methods) {
    if (method != "__init__") made.methods.emplace(method, function);
  }
  for (const auto& each : node.body()) {
    if (!each.is(Ast::FunctionDef) || is_constructor(each)) continue;
    const auto method = each.name();
    const bool called = std::any_of(base->nodes.begin(), base->nodes.end(),
                                    [&](const Node& other) { return uses_of_self(other, method); });
    if (called) refuse("it overrides the method {}, which its base class calls", method);
  }
  made.nodes = base->nodes;
}

void declare_notebook_pointer(Builder& b, const cpp::Stmts& body) {
  if (b.state.has_notebook_pointer || !cpp::mentioned_in(body).contains("notebook")) return;
  b.state.has_notebook_pointer = true;
  b.emit(cpp::Declare{.type = "static torchbook::Notebook*", .name = "notebook"});
  b.emit(cpp::Assign{.to = cpp::name("notebook"), .value = cpp::unary("&", cpp::name("nb"))});
}

/// Adds the methods that a class has itself.
static void add_methods(Builder& b, NewClass& made, const Node& node) {
  std::set<std::string> names;
  for (const auto& each : node.body()) {
    const bool docstring = each.is(Ast::Expr) && each.value().is(Ast::Constant);
    if (docstring || each.is(Ast::Pass)) continue;
    if (!each.is(Ast::FunctionDef)) refuse("a class has a statement that is neither def nor a constant");
    const auto method = std::string(each.name());
    if (!names.insert(method).second) refuse("a class has several methods {}, as with a setter", method);
    if (method == "__repr__" || method == "__str__")
      continue;  // Python calls them to print, and C++ does not
    // A method of a common base and those that override it have the same parameters.
    const auto* shared = method == "__init__" ? nullptr : common_base_of(b, made.key);
    const bool overrides = shared != nullptr && shared->used.contains(method);
    const auto definition = fmt::format("{}:{}", overrides ? key_of_base(shared->name) : made.key, method);
    try {
      made.methods[method] = function_of(each, definition, /*is_method=*/true);
    } catch (const NotPorted&) {
      made.methods.erase(method);
      if (!never_called(b, each)) throw;
      continue;
    }
    made.methods[method].is_property = is_property(each);
    if (is_constructor(each)) made.constants = constants_of_class(each);
  }
}

/// Returns the first of `names` that a value reads when it or one of its methods is called; empty if there is
/// none. `seen` has the classes that were looked at.
static std::string name_read_by(Builder& b, const Type& type, const Names& names,
                                std::set<std::string>& seen) {
  const auto read_by = [&](const Function& function) {
    const auto found = std::find_if(function.outer_names.begin(), function.outer_names.end(),
                                    [&](const auto& name) { return names.contains(name); });
    return found == function.outer_names.end() ? std::string() : *found;
  };
  if (type.is(Kind::function)) {
    const auto found = b.defined.functions.find(type.name());
    return found == b.defined.functions.end() ? std::string() : read_by(found->second);
  }
  const auto* made = type.is(Kind::new_class) ? &b.defined.classes.at(type.name()) : b.class_of(type);
  std::vector<Type> held = type.items;
  std::string name;
  if (made != nullptr && seen.insert(made->key).second) {
    for (const auto& [method, function] : made->methods) {
      if (name.empty() && (method != "__init__" || type.is(Kind::new_class))) name = read_by(function);
    }
    for (const auto& [member, of] : made->members) held.push_back(of);
    for (const auto& [key, other] : b.defined.classes) {
      if (made->is_common_base && other.common_base == made->code) held.push_back(object_of(other));
    }
  }
  for (const auto& each : held) {
    if (name.empty()) name = name_read_by(b, each, names, seen);
  }
  return name;
}

void lose_readers(Builder& b, Names names, const std::function<Lost(const std::string& name)>& why) {
  for (std::size_t count = 0; std::exchange(count, names.size()) != names.size();) {
    for (const auto& reader : b.notebook.scope.names()) {
      if (names.contains(reader)) continue;
      std::set<std::string> seen;
      const auto name = name_read_by(b, b.notebook.scope.own(reader)->type, names, seen);
      if (name.empty()) continue;
      const auto lost = why(name);
      b.notebook.scope.lose(reader, fmt::format("{} reads {}{}", reader, name, lost.why), lost.cell);
      names.insert(reader);
    }
  }
}

static std::string head_of_class(Builder& b, const NewClass& made) {
  if (!made.common_base.empty()) return fmt::format("struct {} : {}", made.code, made.common_base);
  if (!made.is_module) return "struct " + made.code;
  const auto* const base = base_of(b, made);
  return fmt::format("struct {}Impl : {}", made.code,
                     base == nullptr ? "torch::nn::Module" : base->code + "Impl");
}

void lose_readers_of(Builder& b, const std::string& name) {
  const auto* before = b.scope().own(name);
  if (before == nullptr || before->code.empty()) return;
  if (!b.frame->is_notebook && b.frame->uses.read_by_functions.contains(name))
    refuse("{} changes its type, and a function inside reads it", name);
  if (!b.frame->is_notebook) return;
  lose_readers(b, {name}, [&](const std::string& read) -> Lost {
    return {read == name ? ", which is defined again" : fmt::format(", which reads {}", name), b.here.cell};
  });
}

/// Translates a method, unless nothing calls it.
static void method_if_it_runs(Builder& b, NewClass& made, const Node& node) {
  const auto name = node.name();
  const auto write = [&] {
    method(b, made, node);
    comments_after(b, node, 0);
  };
  or_never_ran(b, never_called(b, node) && !is_constructor(node), write, [&](const NotPorted& why) {
    const bool taken = made.is_module && is_member_of_module(name);
    never_ran(b, node.line(), fmt::format("void {}{}() {{ ", name, taken ? "_" : ""), " }", why);
  });
}

static void class_body(Builder& b, NewClass& made, const Node& node) {
  const auto methods = in_order_of_calls(node.body());
  made.renamed = made.code != node.name();
  bool first = true;
  bool refused = false;
  for (const auto& each : methods) {
    const auto found = made.methods.find(each.name());
    if (found == made.methods.end()) continue;  // it is not translated
    if (b.here.reasons != nullptr) {
      refused = !tell_refusals(b, [&] { method_if_it_runs(b, made, each); }) || refused;
      continue;
    }
    auto written = b.captured([&] { method_if_it_runs(b, made, each); });
    if (written.empty()) continue;  // a constructor that only calls that of nn.Module
    if (!std::exchange(first, false)) b.emit(cpp::Plain{});
    comments_between(b, above_with_comments(b, each), each.line(), /*first=*/true);
    b.add(std::move(written));
  }
  if (refused) refuse_because_of(b.here.cell, "a method of it is not translated");
  if (const auto* shared = common_base_of(b, made.key); shared != nullptr && shared->is_named) {
    if (made.members.contains("class_name") || made.methods.contains("class_name"))
      refuse("a class has an attribute class_name");
    if (!std::exchange(first, false)) b.emit(cpp::Plain{});
    b.emit(
        cpp::Plain{fmt::format("std::string class_name() const override {{ return \"{}\"; }}", node.name())});
  }
  auto own = made.order;
  std::erase_if(own, [&](const std::string& name) {
    return !made.common_base.empty() &&
           b.defined.classes.at(key_of_base(made.common_base)).members.contains(name);
  });
  if (!own.empty() && !first) b.emit(cpp::Plain{});
  for (const auto& name : own) b.emit(declared_first(made.members.at(name), made.codes.at(name)));
}

/// Declares a class with its methods, which are not translated yet. `base` is the name of a class of the
/// notebook that it extends; empty if it extends none.
static NewClass& declared_class(Builder& b, const Node& node, bool is_module, std::string_view base) {
  const auto name = std::string(node.name());
  const auto definition = b.key(node, name);
  lose_readers_of(b, name);
  auto& variable = b.scope().declare(name, named_type(Kind::new_class, definition));
  auto& made =
      b.defined.classes[definition] = {.is_module = is_module, .key = definition, .code = variable.code};
  if (!base.empty()) inherit(b, made, node, base);
  made.nodes.push_back(node);
  add_methods(b, made, node);
  derive_from_common_base(b, made);
  made.is_shared = !made.common_base.empty() ||
                   (!made.is_module && changes_objects(node, b.notebook.uses.assigned_attributes));
  for (const auto& each : node.body()) {
    const auto method = each.is(Ast::FunctionDef) ? made.methods.find(each.name()) : made.methods.end();
    if (method != made.methods.end()) note_observed(b, each, method->second);
  }
  return made;
}

void define_class(Builder& b, const Node& node) {
  const auto bases = node.bases();
  const auto path = bases.size() == 1 ? b.path_of(bases[0]) : std::nullopt;
  const bool extends = bases.size() == 1 && !path && bases[0].is(Ast::Name);
  const bool is_dataset = path == "torch.utils.data.Dataset";
  const bool plain = node.decorator_list().empty() && node.keywords().empty();
  const bool is_object = is_dataset || bases.empty();
  if (path == "torch.autograd.Function" && plain) return define_autograd_function(b, node);
  if ((path != "torch.nn.Module" && !is_object && !extends) || !plain) {
    refuse("the base of a class is none of nn.Module, autograd.Function, Dataset or the notebook");
  }
  if (!b.frame->is_notebook) refuse("a class is defined inside of a function");
  auto& made = declared_class(b, node, !is_object, extends ? bases[0].id() : "");
  const bool constructs = made.methods.contains("__init__");
  if (!constructs && extends) made.methods["__init__"] = base_of(b, made)->methods.at("__init__");
  if (!constructs && !extends) made.methods["__init__"] = {.key = made.key + ":__init__"};
  const auto& constructor = made.methods["__init__"];
  auto body = b.captured([&] {
    if (extends && !constructs && !constructor.parameters.empty())
      b.emit(cpp::Plain{fmt::format("using {0}Impl::{0}Impl;", base_of(b, made)->code)});
    class_body(b, made, node);
  });
  declare_notebook_pointer(b, body);
  b.emit(
      cpp::Struct{.head = head_of_class(b, made), .body = std::move(body), .proved = proved_members(made)});
  if (made.is_module) b.emit(cpp::Plain{fmt::format("TORCH_MODULE({});", made.code)});
}

std::string proved_members(const NewClass& made) {
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

Value call_own_method(Builder& b, Function& method, const std::string& name, const Arguments& arguments) {
  const bool early = b.frame->is_constructor && !method.translated;
  const Call call = [&](std::vector<cpp::Expr> given) { return cpp::call(name, std::move(given)); };
  if (!early) return call_function(b, method, call, arguments);
  method.translated = true;
  method.result = {};
  auto value = call_function(b, method, call, arguments);
  method.translated = false;
  b.frame->of_class->called_early.insert(name);
  return value;
}

Value call_super(Builder& b, const Node& node) {
  const auto name = std::string(node.func().attr());
  auto* const base = b.frame->of_class == nullptr ? nullptr : base_of(b, *b.frame->of_class);
  if (name == "__init__" && b.frame->is_constructor && (base != nullptr || node.args().empty()))
    return nothing();  // the constructor begins with it
  if (base == nullptr || !base->methods.contains(name) || b.frame->is_constructor)
    refuse("it calls a method of a base class that the notebook does not define");
  return call_function(
      b, base->methods.at(name),
      [&](std::vector<cpp::Expr> given) {
        return cpp::call(fmt::format("{}Impl::{}", base->code, name), std::move(given));
      },
      arguments(b, node));
}

Value construct(Builder& b, NewClass& made, Arguments arguments) {
  for (auto& each : arguments.positional) each = as_function_of_tensors(b, each);
  for (auto& [name, each] : arguments.named) each = as_function_of_tensors(b, each);
  if (made.is_autograd) refuse("it makes an object of a class of autograd.Function");
  auto& constructor = made.methods.at("__init__");
  std::vector<Type> types;
  const auto ordered = in_order(b, constructor, arguments, types);
  check_call(b, constructor, types);
  note_called(b, constructor);
  auto codes = argument_codes(ordered);
  const bool takes_braces = !made.is_module && !made.is_shared;
  for (std::size_t i = 0; !takes_braces && i < codes.size(); ++i) {
    const auto& argument = ordered[i];
    if (argument.is(Kind::none)) codes[i] = none_of(constructor.types.at(i));
    if (argument.literal && !argument.elements.empty())
      codes[i] = argument.is(Kind::list) ? typed(b, argument, argument.type).expr : printable(argument);
  }
  const auto function = made.is_shared ? fmt::format("std::make_shared<{}>", made.code) : made.code;
  const auto effects = constructor.translated ? constructor.effects : cpp::Effects{};
  const auto count = codes.size();
  auto expr = cpp::call(function, std::move(codes)).with(effects);
  expr = expr.in_order(order_of_call(expr, constructor, arguments, count));
  if (made.is_module) expr = expr.held_as("auto");
  return value_of(made.is_module ? module_type(made.code) : object_of(made), expr);
}

Type object_of(const NewClass& made) {
  if (!made.is_shared) return object_type(made.code);
  const auto pointer = [](std::string_view code) { return fmt::format("std::shared_ptr<{}>", code); };
  if (made.common_base.empty()) return object_type(pointer(made.code));
  return object_type(pointer(made.code), {object_type(pointer(made.common_base))});
}

void need_to_print_modules(Builder& b) {
  const bool renamed = std::any_of(b.defined.classes.begin(), b.defined.classes.end(),
                                   [](const auto& entry) { return entry.second.renamed; });
  if (renamed) refuse("it prints a module, whose class has another name in C++ because it is defined twice");
  b.need("#include <torchbook/pyrepr/module.h>");
}

/// Returns the arguments of `attention(query, key, value, attn_mask=mask, need_weights=False)` and of
/// `encoder_layer(src, src_key_padding_mask=mask)`.
static std::vector<cpp::Expr> masked_arguments(const Layer& layer, const Arguments& arguments) {
  static const std::vector<CallParameter> attention = {{"query", {Kind::tensor}},
                                                       {"key", {Kind::tensor}},
                                                       {"value", {Kind::tensor}},
                                                       {"key_padding_mask", {Kind::tensor, Kind::none}, true},
                                                       {"need_weights", {Kind::boolean}, true},
                                                       {"attn_mask", {Kind::tensor, Kind::none}, true},
                                                       {"average_attn_weights", {Kind::boolean}, true},
                                                       {"is_causal", {Kind::boolean}, true}};
  static const std::vector<CallParameter> encoder = {
      {"src", {Kind::tensor}},
      {"src_mask", {Kind::tensor, Kind::none}, true},
      {"src_key_padding_mask", {Kind::tensor, Kind::none}, true},
      {"is_causal", {Kind::boolean}, true}};
  const auto& parameters = layer.result_kind == LayerResult::attention ? attention : encoder;
  auto given = match_row(layer.name, arguments, parameters);
  while (given.back() == nullptr) given.pop_back();
  std::vector<cpp::Expr> codes;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool left_out = given[i] == nullptr || given[i]->is(Kind::none);
    const auto default_argument =
        parameters[i].kinds[0] == Kind::tensor ? cpp::call("Tensor", {}) : cpp::boolean(true);
    codes.push_back(left_out ? default_argument : given[i]->expr);
  }
  std::size_t acting = 0;
  for (const auto& code : codes) acting += code.acts() ? 1 : 0;
  if (acting > 1) refuse("several arguments of {} draw or change something", layer.name);
  return codes;
}

/// Calls a layer of LibTorch.
static Value call_layer(Builder& b, const Value& module, const Call& call, const Arguments& arguments) {
  std::vector<cpp::Expr> codes;
  const auto* const layer = layer_of(module.type);
  if (layer != nullptr && layer->takes_masks())
    return value_of(layer->result(), call(masked_arguments(*layer, arguments)).with_only(layer->effects()));
  Type result = layer == nullptr ? Type(Kind::tensor) : layer->result();
  for (const auto& value : arguments.positional) {
    const bool state = !codes.empty() && value.is(Kind::tuple) && !result.is(Kind::tensor);  // of an LSTM
    if (!value.is(Kind::tensor) && !state) refuse("a layer is called with something other than tensors");
    if (value.expr.is(cpp::form::value_of_optional)) refuse("a layer takes a state that may be None");
    codes.push_back(state && value.literal ? printable(value) : value.expr);
    if (value.is(Kind::tensor) && !value.type.is(types::Leaf::no))
      result = *common_type(value.type, Type(Kind::tensor));
  }
  if (!arguments.named.empty() || codes.empty()) refuse("a layer is called with names");
  if (is_loss(module.type)) result.know_numbers(Numbers::floating);
  const auto effects = effects_of_module(b, module.type);
  b.found.changes += cpp::changes_values(effects) ? 1 : 0;
  return value_of(result, call(std::move(codes)).with_only(effects));
}

/// Returns the C++ that calls a module, depending on how C++ holds it.
static cpp::Expr call_of_module(Builder& b, const Value& module, std::vector<cpp::Expr> given) {
  const auto& type = module.type;
  if (type.is(types::Held::element)) {
    const auto as = cpp::arrow_method(module.expr, fmt::format("as<{}>", type.name()));
    return cpp::arrow_method(as, "forward", given);
  }
  if (type.is(types::Held::unknown)) return called_as(module, given);
  if (is_any_module(type)) return cpp::method(module.expr, "forward", given);
  if (is_some_module(type)) refuse("it calls a module that is of several classes");
  // The call operator of a module holder is a template, which cannot deduce the type of braces.
  const bool braces =
      b.class_of(type) != nullptr && std::any_of(given.begin(), given.end(), [](const cpp::Expr& each) {
        return each.is(cpp::Kind::braces) && each.text().empty();
      });
  const bool direct = braces || type.is(types::Held::pointer) || is_torch_sequential(type);
  return direct ? cpp::arrow_method(module.expr, "forward", given)
                : cpp::invoke(module.expr, std::move(given));
}

/// Calls an object whose class has a method `__call__`; nullopt if it has none.
static std::optional<Value> call_by_class(Builder& b, const Value& called, const Arguments& arguments) {
  auto* made = b.class_of(called.type);
  if (made == nullptr || !made->methods.contains("__call__")) return std::nullopt;
  const auto object = made->is_shared ? cpp::unary("*", called.expr) : called.expr;
  const auto call = [&](const std::vector<cpp::Expr>& given) { return cpp::invoke(object, given); };
  return call_function(b, made->methods.at("__call__"), call, arguments);
}

Value call_object(Builder& b, const Value& object, const Arguments& arguments) {
  if (auto value = call_by_class(b, object, arguments)) return *value;
  refuse("it calls {}, whose class has no __call__", in_words(object.type));
}

Value call_module(Builder& b, const Value& module, const Arguments& arguments) {
  if (auto value = call_by_class(b, module, arguments)) return *value;
  const auto& type = module.type;
  const Call written = [&](std::vector<cpp::Expr> given) {
    return call_of_module(b, module, std::move(given));
  };
  if (auto* made = b.class_of(type)) {
    const auto forward = made->methods.find("forward");
    if (forward == made->methods.end()) refuse("it calls a module without forward");
    auto result = call_function(b, forward->second, written, arguments);
    // For the result of a template parameter, C++ would need `.template item<double>()`.
    if (is_of_class_below(b, type)) result.type = without_numbers(result.type);
    return result;
  }
  return call_layer(b, module, written, arguments);
}

cpp::Effects effects_of_module(Builder& b, const Type& module) {
  if (const auto* layer = layer_of(module)) return layer->effects();
  if (const auto* made = b.class_of(module)) {
    const auto forward = made->methods.find("forward");
    return forward == made->methods.end() ? cpp::everything() : forward->second.effects;
  }
  auto effects = cpp::reads(cpp::Place::memory);
  for (const auto& part : module.items) effects.add(effects_of_module(b, part));
  if (!module.items.empty()) return effects;
  effects.add(cpp::writes(cpp::Place::memory));  // nothing is known about the module
  effects.add(cpp::draws());
  return effects;
}

}  // namespace torchbook::translate
