// Translates assignments to names, elements, attributes and several names at once.
#include <fmt/format.h>
#include <tools/import/translate/lower/translator.h>

#include <algorithm>
#include <utility>

namespace torchbook::translate {
namespace {

/// Whether a variable can be declared with the wider type, and its first value be converted.
bool widens(const Type& first, const Type& later) {
  if (first.is(Kind::none)) return later.is(Kind::tensor) || later.is(Kind::module);
  if (first.is_number() && later.is(Kind::scalar)) return true;
  if (first.is(Kind::integer)) return later.is(Kind::floating) || later.is(Kind::tensor);
  if (first.is(Kind::list) && first.items.empty()) return later.is(Kind::list);
  if (first.is(Kind::dict) && (first.items.empty() || holds_open_lists(first))) return later.is(Kind::dict);
  return first.is(Kind::floating) && later.is(Kind::tensor);
}

bool is_int_first(const Type& first, const Type& later) {
  return first.is(Kind::integer) && later.is(Kind::floating);
}

bool is_open(const Type& type) {
  return type.is(Kind::none) || ((type.is(Kind::list) || type.is(Kind::dict)) && type.items.empty()) ||
         holds_open_lists(type);
}

/// Converts a first value to the wider type. Returns empty for None and an empty list. A wrapped
/// number, like a number in Python, does not decide the dtype of a sum with tensors.
cpp::Expr widened(const Value& value, const Type& later) {
  if (value.is(Kind::tensor)) return value.expr;
  if (value.is(Kind::list) && later.is(Kind::list) && !value.elements.empty()) {
    auto list = value;
    list.type = later;
    return printable(list);
  }
  if (value.is(Kind::dict) && value.expr.is(cpp::Kind::braces) && !value.expr.parts().empty())
    return cpp::braces(value.expr.parts(), cpp_type(later));
  if (later.is(Kind::tensor) && !value.is(Kind::none)) return cpp::call("torchbook::wrapped", {value.expr});
  if (later.is(Kind::floating)) return floating_literal(value);
  if (value.type.is_number() || value.type == later) return value.expr;
  if (!is_open(value.type)) throw NotPorted("{} becomes {}", in_words(value.type), in_words(later));
  return {};
}

/// Returns the value to assign to a declared variable: that of `expr`, or a default one if it is
/// empty.
cpp::Expr assigned(const cpp::Expr& expr, const Type& type) {
  if (expr) return expr;
  if (type.is(Kind::module)) return cpp::braces({cpp::name("nullptr")}, cpp_type(type));
  return cpp::call(cpp_type(type), {});
}

/// Whether the value of a variable of the type may change without an assignment to its name.
bool changes_in_use(const Type& type) {
  return type.is(Kind::module) || type.is(Kind::optimizer) || type.is(Kind::list) || type.is(Kind::dict) ||
         type.is(Kind::random);
}

/// Returns the declaration of a variable. Constructor arguments of a module, an optimizer or
/// another object follow its name.
cpp::Declare declaration(const Type& type, const std::string& prefix, const std::string& written,
                         const std::string& name, const Value& value, const cpp::Expr& expr) {
  cpp::Declare result{.type = prefix + written, .name = name, .value = expr};
  const bool makes = value.temporary && !type.name().empty() &&
                     (expr.is(cpp::Kind::call, type.name()) || expr.is(cpp::Kind::construct, type.name()));
  // C++ would parse `ModuleList list(ReLU());` as the declaration of a function.
  const bool vexing = makes && !expr.parts().empty() && expr.part(0).parts().empty() &&
                      (expr.part(0).is(cpp::Kind::call) || expr.part(0).is(cpp::Kind::construct));
  result.constructs = makes && !vexing;
  if (result.constructs) result.type = written;
  const bool chosen =
      type.is(Kind::string) && expr.is(cpp::Kind::call, "std::string") && expr.part(0).is(cpp::Kind::choice);
  if (chosen) result.value = expr.part(0);
  return result;
}

/// Refuses values that no variable of C++ can hold.
void refuse_without_variable(const Value& value) {
  if (value.type.is(types::Sequence::nested))
    throw NotPorted("how deep the list of a tensor is shows only when it runs");
  if (value.is(Kind::error)) throw NotPorted("an exception gets another name");
  if (value.is(Kind::generator)) throw NotPorted("a variable cannot hold a generator");
  if (value.is(Kind::none) && value.acts()) throw NotPorted("it takes the None of a call");
}

bool is_plain_number(const Type& type) { return type.is_number() && !type.is(Kind::scalar); }

/// Whether a constant can be static in C++, so that classes can read it.
bool lasts(const Type& type) {
  return is_plain_number(type) || type.is(Kind::string) || type.is(Kind::device) || type.is(Kind::dtype);
}

/// Whether a variable of the type can be static, and be assigned later.
bool can_be_static(const Type& type) {
  return type.is(Kind::tensor) || type.is_number() || type.is(Kind::string) || type.is(Kind::list) ||
         type.is(Kind::dict) || type.is(Kind::module) || type.is(Kind::random);
}

/// Returns a literal list or tuple in which the values for the starred name are one list.
Value with_rest(const std::vector<Node>& targets, const Value& value) {
  if (value.elements.size() < targets.size()) throw NotPorted("it unpacks fewer values than there are names");
  const auto more = value.elements.size() - targets.size() + 1;
  auto result = value;
  result.elements.clear();
  auto next = value.elements.begin();
  for (const auto& target : targets) {
    if (!target.is("Starred")) {
      result.elements.push_back(*next++);
      continue;
    }
    auto rest = value_of(list_of(next->type), {});
    rest.elements.assign(next, next + static_cast<std::ptrdiff_t>(more));
    next += static_cast<std::ptrdiff_t>(more);
    const auto same = [&](const Value& each) { return each.type == rest.type.items[0]; };
    if (!std::all_of(rest.elements.begin(), rest.elements.end(), same))
      throw NotPorted("a starred name takes values of different types");
    rest.expr = in_braces(rest.elements);
    rest.literal = true;
    result.elements.push_back(std::move(rest));
  }
  return result;
}

}  // namespace

/// `dim = 0` and `dim = (0, 1)`, as a list.
static Value list_of_dims(const Value& value) {
  auto dims = value_of(list_of(Kind::integer), {});
  dims.elements = value.is(Kind::tuple) ? value.elements : std::vector{value};
  dims.expr = in_braces(dims.elements);
  dims.literal = true;
  return dims;
}

/// Whether a class reads a name of the notebook, directly or through a function that it calls.
bool Translator::is_read_by_classes(const std::string& name) const {
  return frame_->is_notebook && frame_->uses.read_by_classes.contains(name);
}

void Translator::assign(const Node& node) {
  if (!node.has("value")) return;  // an annotation only
  const auto targets = node.is("Assign") ? node.list("targets") : std::vector{node.child("target")};
  const auto source = node.child("value");
  if (source.is("Lambda") && targets[0].is("Name")) return define(source, std::string(targets[0].text("id")));
  const auto path = path_of(source);
  const bool renames = path && path->starts_with("torch.nn.") && targets.size() == 1 &&
                       targets[0].is("Name") && frame_->is_notebook && scope().depth() == 0 &&
                       frame_->uses.assignments[std::string(targets[0].text("id"))] == 1;
  if (renames) return scope().import(std::string(targets[0].text("id")), *path);
  if (targets.size() == 1 && targets[0].is("Attribute") && set_backend(targets[0], source)) return;
  if (targets.size() == 1) wish_ = wish_of(targets[0], source);
  auto value = expression(source);
  wish_.clear();
  if (!value.displayed.is(Kind::none)) {  // `model = model.eval()`
    emit(cpp::Evaluate{value.expr});
    value = value_of(value.displayed, value.gives);
    const bool same = targets.size() == 1 && targets[0].is("Name") && source.child("func").is("Attribute") &&
                      source.child("func").child("value").is_name(targets[0].text("id"));
    if (same) return;
  }
  const bool plain = value.type.is_number() || value.is(Kind::string) || value.is(Kind::tensor);
  if (targets.size() > 1 && !plain) throw NotPorted("it gives one list or object several names at once");
  if (targets.size() > 1 && !value.literal) value = hold(value, "value");
  for (const auto& target : targets) assign_to(target, source, value);
}

/// `torch.backends.cudnn.deterministic = True`. Returns whether it is such a setting.
bool Translator::set_backend(const Node& target, const Node& source) {
  static const std::map<std::string_view, std::string_view> settings = {
      {"torch.backends.cudnn.deterministic", "setDeterministicCuDNN"},
      {"torch.backends.cudnn.benchmark", "setBenchmarkCuDNN"}};
  const auto path = path_of(target);
  const auto found = path ? settings.find(*path) : settings.end();
  if (found == settings.end()) return false;
  const auto value = expression(source);
  if (!value.is(Kind::boolean)) throw NotPorted("a setting of cuDNN is no bool");
  emit(cpp::Evaluate{cpp::method(cpp::call("at::globalContext", {}), found->second, {value.expr})});
  return true;
}

/// Returns the name that the result of a comprehension, or a new module that is moved, is assigned
/// to. Returns empty if the value cannot be built in a new variable of that name.
std::string Translator::wish_of(const Node& target, const Node& source) {
  const bool sums = called_name(source) == "sum" && source.list("args").size() == 1 &&
                    scope().find("sum") == nullptr && source.list("keywords").empty();
  const auto of = sums ? source.list("args")[0] : source;
  const bool comprehends = of.is("ListComp") || (sums ? of.is("GeneratorExp") : of.is("DictComp"));
  static const std::set<std::string_view> moving = {"to", "cpu", "double", "float", "half"};
  const bool moves = moving.contains(called_method(source)) &&
                     source.child("func").child("value").is("Call");  // `Model().to(device)`
  if (!target.is("Name") || (!comprehends && !moves)) return {};
  const auto name = std::string(target.text("id"));
  const auto* variable = scope().own(name);
  const auto definition = key(target, name);
  const bool known = (variable != nullptr && variable->missing.empty()) || frame_->hoisted.contains(name) ||
                     facts_->later(definition) != nullptr || name == "_" || is_read_by_classes(name);
  return known ? "" : name;
}

void Translator::assign_to(const Node& target, const Node& source, Value value) {
  if (target.is("Name")) return assign_name(target, value);
  if (target.is("Attribute")) return assign_attribute(target, value);
  if (target.is("Subscript")) return assign_subscript(target, value);
  if (!target.is("Tuple") && !target.is("List")) throw NotPorted("it assigns to a starred name");
  if (!value.elements.empty()) {
    if (value.expr.is(cpp::Kind::let)) {
      add(value.expr.node().body);
      value.expr = value.expr.part(0);
    }
    // `a, b = b, a`: all values are taken before the first name changes.
    const auto read = names_in(source);
    const auto names = target.list("elts");
    const bool crosses = std::any_of(names.begin(), names.end(), [&](const Node& each) {
      const auto name = each.is("Starred") ? each.child("value") : each;
      return !name.is("Name") || read.contains(name.text("id"));
    });
    for (std::size_t i = 0; crosses && i < value.elements.size(); ++i)
      value.elements[i] = hold(value.elements[i], "value");
  }
  unpack(target.list("elts"), value);
}

/// Whether a variable of C++ can be assigned a value of the type. Notes it if the variable is an
/// nn.Parameter only sometimes.
bool Translator::takes(const std::string& name, Variable& variable, const Type& type) {
  // After this assignment, Python has a float too, unless a branch skips it.
  if (type.is(variable.type.kind()) && variable.branches == frame_->branches) variable.still_int = false;
  if (assignable(variable.type, type)) return true;
  if (!variable.type.is(Kind::tensor) || !type.is(Kind::tensor)) return false;
  const bool runs_once = variable.depth == scope().depth() && frame_->loops == 0;
  if (variable.definition.empty()) return false;
  const auto common = *common_type(variable.type, type);
  if (!runs_once) facts_->becomes(variable.definition, common);
  if (frame_->uses.read_by_functions.contains(name)) facts_->becomes(in_functions(variable), common);
  variable.type = runs_once ? type : common;
  return true;
}

/// `encode = tokenizer_function`
void Translator::rename_function(const Node& target, const std::string& name, const Value& function) {
  if (!function.is(Kind::function) || !frame_->is_notebook || scope().depth() > 0)
    throw NotPorted("it gives a function or class another name");
  lose_readers_of(name);
  auto& other = scope().declare(name, function.type);
  other.definition = key(target, name);
  other.code = function.expr.text();
}

/// Whether `losses = []` is another list of C++ than before, because it will hold values of another type.
bool Translator::is_emptied_anew(const Node& target, Variable& variable, const Value& value) {
  const bool always = scope().depth() == 0 && variable.depth == 0 && frame_->loops == 0;
  if (!is_empty(value.type) || !value.literal || !always) return false;
  variable.emptied = key(target, target.text("id"));
  return facts_->is_renewed(variable.emptied);
}

void Translator::assign_name(const Node& target, const Value& given) {
  const auto name = std::string(target.text("id"));
  const auto value = frame_->uses.dims.contains(name) ? list_of_dims(given) : given;
  if (name == "_" && value.acts()) return emit(cpp::Evaluate{value.expr});
  if (name == "_" && !is_read(frame_->uses, name)) return;
  if (value.is(Kind::file)) return name_file(name, value);
  refuse_without_variable(value);
  if (!value.temporary && (value.is(Kind::function) || value.is(Kind::new_class)))
    return rename_function(target, name, value);
  auto* const variable = scope().own(name);
  if (variable == nullptr || !variable->missing.empty()) return declare_name(target, name, value);
  if (is_emptied_anew(target, *variable, value)) {
    lose_readers_of(name);
    return declare_name(target, name, value);
  }
  const bool of_loop = variable->definition.empty();
  const bool always = variable->depth + 1 == scope().depth();  // in the body itself
  if (of_loop && always && !assignable(variable->type, value.type))
    return declare_name(target, name, value);  // `for word in words: word = ["."] + list(word)`
  if (of_loop && (variable->is_constant || !assignable(variable->type, value.type)))
    throw NotPorted("a loop assigns to its own name");
  const auto* later = facts_->later(variable->definition);
  note_numbers(*variable, value.type);
  if (takes(name, *variable, value.type))
    return emit(cpp::Assign{.to = cpp::name(variable->code), .value = value.expr});
  if (later != nullptr && widens(value.type, variable->type)) {
    variable->still_int = is_int_first(value.type, variable->type);
    return emit(cpp::Assign{.to = cpp::name(variable->code),
                            .value = assigned(widened(value, variable->type), variable->type)});
  }
  if (variable->depth == scope().depth() && frame_->loops == 0) {
    lose_readers_of(name);
    return declare_name(target, name, value);
  }
  refuse_other_type(name, *variable, value);
}

/// Refuses a value of another type than its variable has, and notes that type.
void Translator::refuse_other_type(const std::string& name, const Variable& variable, const Value& value) {
  const bool numbers = variable.type.is_number() && value.type.is_number();
  const bool wider = widens(variable.type, value.type);
  if (!wider && !numbers) {
    facts_->renews(variable.definition);
    throw NotPorted("{} holds {} and then {}; another name would do", name, in_words(variable.type),
                    in_words(value.type));
  }
  facts_->becomes(variable.definition, wider ? value.type : Type(Kind::scalar));
  throw NotPorted("{} changes its type", name);
}

/// Notes it if a variable gets a tensor with another kind of numbers than its first value.
void Translator::note_numbers(const Variable& variable, const Type& type) {
  const bool tensors = variable.type == type && !variable.definition.empty();
  if (tensors && !same_numbers(variable.type, with_common_numbers(variable.type, type)))
    facts_->mixes_numbers(variable.definition);
}

/// Declares a name that blocks assign and later lines read.
Variable& Translator::declare_above(const std::string& name, const Type& type) {
  auto& hoisted = frame_->hoisted.at(name);
  auto& variable = scope().declare(name, type);
  variable.depth = hoisted.depth;
  variable.branches = hoisted.branches;
  variable.is_static = hoisted.is_static = is_read_by_classes(name);
  hoisted.type = type;
  hoisted.code = variable.code;
  return variable;
}

/// Declares a static variable. A statement of its own assigns it, so that every run of the notebook
/// does.
void Translator::declare_static(Variable& variable, const cpp::Expr& value) {
  variable.is_constant = false;
  auto declared = declared_first(variable.type, variable.code);
  declared.type.insert(0, "static ");
  emit(declared);
  emit(cpp::Assign{.to = cpp::name(variable.code), .value = value});
}

void Translator::declare_name(const Node& target, const std::string& name, const Value& value) {
  const auto definition = key(target, name);
  const auto* later = facts_->later(definition);
  Type type = later == nullptr ? value.type : *later;
  if (facts_->mixes(definition)) type = without_numbers(type);
  auto code = later == nullptr ? value.expr : widened(value, *later);
  const auto tell = [&](Variable& variable) {
    variable.definition = definition;
    variable.still_int = is_int_first(value.type, type);
    note_numbers(variable, value.type);
  };
  if (frame_->hoisted.contains(name)) {
    tell(declare_above(name, type));
    return emit(cpp::Assign{.to = cpp::name(scope().own(name)->code), .value = assigned(code, type)});
  }
  if (auto* const collector = declare_collector(name, value, type)) return tell(*collector);
  // A later assignment or append shows what it holds.
  if (is_open(type)) return void(scope().declare(name, type).definition = definition);
  const bool once = frame_->uses.assignments[name] == 1 && later == nullptr;
  const bool iterator = type.is(Kind::object) && type.name().starts_with(pass_of_loader);
  const bool constant = once && !iterator && !changes_in_use(type) && class_of(type) == nullptr;
  const bool unread = is_plain_number(type) && !is_read(frame_->uses, name);
  const bool inferred = iterator || is_inferred(type, constant);
  auto& variable = scope().declare(name, type);
  tell(variable);
  variable.branches = frame_->branches;
  variable.is_constant = constant;
  if (constant && value.is(Kind::integer) && value.literal) variable.number = value.expr.text();
  variable.is_static = is_read_by_classes(name) && (lasts(type) || can_be_static(type));
  if (variable.is_static && !(constant && lasts(type))) return declare_static(variable, assigned(code, type));
  const auto prefix = fmt::format("{}{}{}", unread ? "[[maybe_unused]] " : "",
                                  variable.is_static ? "static " : "", constant ? "const " : "");
  const auto written = inferred ? "auto" : cpp_type(type);
  if (inferred && value.literal) code = printable(value);
  const bool in_type = value.literal && (value.is(Kind::list) || value.is(Kind::dict)) && !inferred;
  if (in_type && value.is(Kind::list) && !code) code = in_braces(value.elements);
  if (code.is(cpp::Kind::braces) && code.text().empty() && code.parts().empty()) code = {};
  emit(declaration(type, prefix, written, variable.code, value, code));
}

/// `first, *rest = values`
void Translator::unpack_rest(const std::vector<Node>& targets, const Value& value) {
  const bool two = std::count_if(targets.begin(), targets.end(),
                                 [](const Node& target) { return target.is("Starred"); }) > 1;
  if (two) throw NotPorted("it assigns to two starred names");
  if (!value.elements.empty()) {
    std::vector<Node> names;
    names.reserve(targets.size());
    for (const auto& target : targets) names.push_back(target.is("Starred") ? target.child("value") : target);
    return unpack(names, with_rest(targets, value));
  }
  auto rows = rows_of(value);
  if (rows.temporary) rows = hold(rows, "rows");
  bool behind = false;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const auto from_end = targets.size() - 1 - i;
    if (targets[i].is("Starred")) {
      behind = true;
      std::vector<cpp::Expr> parts = {rows.expr, cpp::number(i)};
      if (from_end > 0) parts.push_back(cpp::number("-" + std::to_string(from_end)));
      assign_to(targets[i].child("value"), targets[i],
                value_of(rows.type, cpp::call("python::slice", parts)));
      continue;
    }
    const auto at =
        behind ? cpp::binary(cpp::method(rows.expr, "size"), "-", cpp::number(from_end + 1)) : cpp::number(i);
    assign_to(targets[i], targets[i], value_of(rows.type.items[0], cpp::method(rows.expr, "at", {at})));
  }
}

void Translator::unpack(const std::vector<Node>& targets, const Value& value) {
  const bool starred =
      std::any_of(targets.begin(), targets.end(), [](const Node& target) { return target.is("Starred"); });
  if (starred) return unpack_rest(targets, value);
  const auto part = [&](std::size_t i) -> Value {
    if (!value.elements.empty()) return value.elements[i];
    return size_of(value, cpp::number(i));
  };
  if (!value.elements.empty() && value.elements.size() != targets.size()) {
    throw NotPorted("it unpacks more or fewer values than there are names");
  }
  if (value.is(Kind::size) && value.acts())
    throw NotPorted("it unpacks the shape of what draws or changes something");
  if (value.elements.empty() && value.is(Kind::size)) check_sizes(value, targets.size());
  if (!value.elements.empty() || value.is(Kind::size)) {
    for (std::size_t i = 0; i < targets.size(); ++i) assign_to(targets[i], targets[i], part(i));
    return;
  }
  if (value.is(Kind::tensor) || has_places(value.type)) {
    auto rows = rows_of(value);
    if (rows.temporary) rows = hold(rows, "rows");
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const auto item = cpp::subscript(rows.expr, cpp::number(i));
      assign_to(targets[i], targets[i], value_of(rows.type.items[0], item));
    }
    return;
  }
  if (!value.is(Kind::tuple) || value.type.items.size() != targets.size()) {
    throw NotPorted("it unpacks {}", in_words(value.type));
  }
  const auto parts = value.temporary ? hold(value, "parts") : value;
  for (std::size_t i = 0; i < targets.size(); ++i) assign_to(targets[i], targets[i], parts_of(parts).at(i));
}

}  // namespace torchbook::translate
