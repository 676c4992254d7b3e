#include <fmt/format.h>
#include <tools/import/translate/classes/classes.h>
#include <tools/import/translate/classes/members.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/cpp/print.h>
#include <tools/import/translate/expressions/comprehensions.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/operators.h>
#include <tools/import/translate/expressions/subscripts.h>
#include <tools/import/translate/functions/functions.h>
#include <tools/import/translate/kinds/file.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/size.h>
#include <tools/import/translate/rows/builtins.h>
#include <tools/import/translate/statements/assignments.h>
#include <tools/import/translate/statements/later_types.h>

#include <algorithm>
#include <utility>

namespace torchbook::translate {
namespace {

/// Whether a variable can be declared with the wider type, and its first value be converted.
bool widens(const Type& first, const Type& later) {
  if (first.is(Kind::none))
    return later.is(Kind::tensor) || later.is(Kind::module) || later.is(Kind::dict) ||
           later.is(Kind::state_dict) || later.optional;
  if (first.is_number() && later.is(Kind::scalar)) return true;
  if (first.is(Kind::integer)) return later.is(Kind::floating) || later.is(Kind::tensor);
  if (is_open(first)) return later.is(first.kind());
  return first.is(Kind::floating) && later.is(Kind::tensor);
}

bool is_int_first(const Type& first, const Type& later) {
  return first.is(Kind::integer) && later.is(Kind::floating);
}

/// Converts a first value to the wider type. Returns an empty expression for an empty list, and for None of
/// most types. A wrapped number is used because, like a number in Python, it does not decide the dtype of a
/// sum with tensors.
cpp::Expr widened(const Value& value, const Type& later) {
  if (value.is(Kind::none) && later.optional) return {};
  if (value.is(Kind::module) && assignable(later, value.type)) return value.expr;
  if (value.is(Kind::tensor)) return value.expr;
  if ((value.is(Kind::deque) || value.is(Kind::counter)) && later.is(value.type.kind()))
    return cpp::call(later.name(), value.expr.parts());
  if (value.is(Kind::list) && later.is(Kind::list) && !value.elements.empty()) {
    auto list = value;
    list.type = later;
    return printable(list);
  }
  if (value.is(Kind::dict) && value.expr.is(cpp::Kind::braces) && !value.expr.parts().empty())
    return cpp::braces(value.expr.parts(), cpp_type(later));
  if (later.is(Kind::tensor) && !value.is(Kind::none)) return cpp::call("torchbook::wrapped", {value.expr});
  if (later.is(Kind::floating)) return floating_literal(value);
  if (value.is(Kind::none) && later.is(Kind::module)) return cpp::name("nullptr");
  if (value.type.is_number() || value.type == later) return value.expr;
  if (!value.is(Kind::none) && !is_open(value.type))
    refuse("{} becomes {}", in_words(value.type), in_words(later));
  return {};
}

/// Returns the value to assign to a declared variable: that of `expr`, or a default one if it is
/// empty.
cpp::Expr assigned(const cpp::Expr& expr, const Type& type) {
  return expr ? expr : cpp::call(cpp_type(type), {});
}

/// Whether the value of a variable of the type may change without an assignment to its name.
bool changes_in_use(const Type& type) {
  return type.is(Kind::module) || type.is(Kind::optimizer) || type.is(Kind::list) || type.is(Kind::dict) ||
         type.is(Kind::counter) || type.is(Kind::random);
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
      type.is(Kind::string) && expr.is(cpp::form::std_string) && expr.part(0).is(cpp::Kind::choice);
  if (chosen) result.value = expr.part(0);
  return result;
}

/// Refuses values that no variable of C++ can hold.
void refuse_without_variable(const Value& value) {
  if (value.type.is(types::Sequence::nested))
    refuse("the depth of the list of a tensor is known only at run time");
  if (value.is(Kind::error)) refuse("an exception gets another name");
  if (value.is(Kind::generator)) refuse("a variable cannot hold a generator");
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
  if (value.elements.size() < targets.size()) refuse("it unpacks fewer values than there are names");
  const auto more = value.elements.size() - targets.size() + 1;
  auto result = value;
  result.elements.clear();
  auto next = value.elements.begin();
  for (const auto& target : targets) {
    if (!target.is(Ast::Starred)) {
      result.elements.push_back(*next++);
      continue;
    }
    auto rest = value_of(list_of(next->type), {});
    rest.elements.assign(next, next + static_cast<std::ptrdiff_t>(more));
    next += static_cast<std::ptrdiff_t>(more);
    const auto same = [&](const Value& each) { return each.type == rest.type.items[0]; };
    if (!std::all_of(rest.elements.begin(), rest.elements.end(), same))
      refuse("a starred name takes values of different types");
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

static void unpack(Builder& b, const std::vector<Node>& targets, const Value& value);
static void assign_to(Builder& b, const Node& target, const Node& source, Value value);

bool is_read_by_classes(Builder& b, const std::string& name) {
  return b.frame->is_notebook && b.frame->uses.read_by_classes.contains(name);
}

/// `torch.backends.cudnn.deterministic = True`. Returns whether it is such a setting.
static bool set_backend(Builder& b, const Node& target, const Node& source) {
  static const std::map<std::string_view, std::string_view> settings = {
      {"torch.backends.cudnn.deterministic", "setDeterministicCuDNN"},
      {"torch.backends.cudnn.benchmark", "setBenchmarkCuDNN"}};
  const auto path = b.path_of(target);
  const auto found = path ? settings.find(*path) : settings.end();
  if (found == settings.end()) return false;
  const auto value = expression(b, source);
  if (!value.is(Kind::boolean)) refuse("a setting of cuDNN is not a bool");
  b.emit(cpp::Evaluate{cpp::method(cpp::call("at::globalContext", {}), found->second, {value.expr})});
  return true;
}

/// Returns the name that the result of a comprehension, or a new module that is moved, is assigned
/// to. Returns empty if the value cannot be built in a new variable of that name.
static std::string hint_for(Builder& b, const Node& target, const Node& source) {
  const bool sums = called_name(source) == "sum" && source.args().size() == 1 &&
                    b.scope().find("sum") == nullptr && source.keywords().empty();
  const auto of = sums ? source.args()[0] : source;
  const bool comprehends = of.is(Ast::ListComp) || (sums ? of.is(Ast::GeneratorExp) : of.is(Ast::DictComp));
  static const std::set<std::string_view> moving = {"to", "cpu", "double", "float", "half"};
  const bool moves =
      moving.contains(called_method(source)) && source.func().value().is(Ast::Call);  // `Model().to(device)`
  if (!target.is(Ast::Name) || (!comprehends && !moves)) return {};
  const auto name = std::string(target.id());
  const auto* variable = b.scope().own(name);
  const bool known = (variable != nullptr && variable->missing.empty()) || b.frame->hoisted.contains(name) ||
                     name == "_" || is_read_by_classes(b, name);
  return known ? "" : name;
}

/// `first, *rest = values`
static void unpack_rest(Builder& b, const std::vector<Node>& targets, const Value& value) {
  const bool two = std::count_if(targets.begin(), targets.end(),
                                 [](const Node& target) { return target.is(Ast::Starred); }) > 1;
  if (two) refuse("it assigns to two starred names");
  if (!value.elements.empty()) {
    std::vector<Node> names;
    names.reserve(targets.size());
    for (const auto& target : targets) names.push_back(target.is(Ast::Starred) ? target.value() : target);
    return unpack(b, names, with_rest(targets, value));
  }
  auto rows = rows_of(b, value);
  if (rows.temporary) rows = b.hold(rows, "rows");
  bool after_rest = false;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const auto from_end = targets.size() - 1 - i;
    if (targets[i].is(Ast::Starred)) {
      after_rest = true;
      std::vector<cpp::Expr> parts = {rows.expr, cpp::number(i)};
      if (from_end > 0) parts.push_back(cpp::number("-" + std::to_string(from_end)));
      assign_to(b, targets[i].value(), targets[i], value_of(rows.type, cpp::call("python::slice", parts)));
      continue;
    }
    const auto at = after_rest ? cpp::binary(cpp::method(rows.expr, "size"), "-", cpp::number(from_end + 1))
                               : cpp::number(i);
    assign_to(b, targets[i], targets[i], value_of(rows.type.items[0], cpp::method(rows.expr, "at", {at})));
  }
}

static void unpack(Builder& b, const std::vector<Node>& targets, const Value& value) {
  const bool starred =
      std::any_of(targets.begin(), targets.end(), [](const Node& target) { return target.is(Ast::Starred); });
  if (starred) return unpack_rest(b, targets, value);
  const auto part = [&](std::size_t i) -> Value {
    if (!value.elements.empty()) return value.elements[i];
    return size_of(value, cpp::number(i));
  };
  if (!value.elements.empty() && value.elements.size() != targets.size()) {
    refuse("it unpacks more or fewer values than there are names");
  }
  if (value.is(Kind::size) && value.acts()) refuse("it unpacks the shape of what draws or changes something");
  if (value.elements.empty() && value.is(Kind::size)) check_sizes(b, value, targets.size());
  if (!value.elements.empty() || value.is(Kind::size)) {
    for (std::size_t i = 0; i < targets.size(); ++i) assign_to(b, targets[i], targets[i], part(i));
    return;
  }
  if (value.is(Kind::tensor) || is_list_like(value.type)) {
    auto rows = rows_of(b, value);
    if (rows.temporary) rows = b.hold(rows, "rows");
    for (std::size_t i = 0; i < targets.size(); ++i) {
      const auto item = cpp::subscript(rows.expr, cpp::number(i));
      assign_to(b, targets[i], targets[i], value_of(rows.type.items[0], item));
    }
    return;
  }
  if (!value.is(Kind::tuple) || value.type.items.size() != targets.size()) {
    refuse("it unpacks {}", in_words(value.type));
  }
  const auto parts = value.temporary ? b.hold(value, "parts") : value;
  for (std::size_t i = 0; i < targets.size(); ++i)
    assign_to(b, targets[i], targets[i], parts_of(parts).at(i));
}

static void assign_to(Builder& b, const Node& target, const Node& source, Value value) {
  if (target.is(Ast::Name)) return assign_name(b, target, value);
  if (target.is(Ast::Attribute)) return assign_attribute(b, target, value);
  if (target.is(Ast::Subscript)) return assign_item(b, target, value);
  if (!target.is(Ast::Tuple) && !target.is(Ast::List)) refuse("it assigns to a starred name");
  if (!value.elements.empty()) {
    if (value.expr.is(cpp::Kind::let)) {
      b.add(value.expr.node().body);
      value.expr = value.expr.part(0);
    }
    // `a, b = b, a`: all values are read before the first name changes.
    const auto read = names_in(source);
    const auto names = target.elts();
    const bool crosses = std::any_of(names.begin(), names.end(), [&](const Node& each) {
      const auto name = each.is(Ast::Starred) ? each.value() : each;
      return !name.is(Ast::Name) || read.contains(name.id());
    });
    for (std::size_t i = 0; crosses && i < value.elements.size(); ++i)
      value.elements[i] = b.hold(value.elements[i], "value");
  }
  unpack(b, target.elts(), value);
}

void assign(Builder& b, const Node& node) {
  if (!node.has_value()) return;  // an annotation only
  const auto targets = node.is(Ast::Assign) ? node.targets() : std::vector{node.target()};
  const auto source = node.value();
  if (source.is(Ast::Lambda) && targets[0].is(Ast::Name))
    return define(b, source, std::string(targets[0].id()));
  const auto path = b.path_of(source);
  const bool renames = path && path->starts_with("torch.nn.") && targets.size() == 1 &&
                       targets[0].is(Ast::Name) && b.frame->is_notebook && b.scope().depth() == 0 &&
                       b.frame->uses.assignments[std::string(targets[0].id())] == 1;
  if (renames) return b.scope().import(std::string(targets[0].id()), *path);
  if (targets.size() == 1 && targets[0].is(Ast::Attribute) && set_backend(b, targets[0], source)) return;
  if (targets.size() == 1) b.here.name_hint = hint_for(b, targets[0], source);
  auto value = expression(b, source);
  b.here.name_hint.clear();
  if (!value.displayed.is(Kind::none)) {  // `model = model.eval()`
    b.emit(cpp::Evaluate{value.expr});
    value = value_of(value.displayed, value.returned_module);
    const bool same = targets.size() == 1 && targets[0].is(Ast::Name) && source.func().is(Ast::Attribute) &&
                      source.func().value().is_name(targets[0].id());
    if (same) return;
  }
  if (value.is(Kind::none) && value.acts()) {  // `shown = show(x)`, where show returns nothing
    b.emit(cpp::Evaluate{value.expr});
    value = value_of(Kind::none, cpp::name("c10::nullopt"));
  }
  const bool plain = value.type.is_number() || value.is(Kind::string) || value.is(Kind::tensor);
  if (targets.size() > 1 && !plain) refuse("it assigns one list or object to several names at once");
  if (targets.size() > 1 && !value.literal) value = b.hold(value, "value");
  for (const auto& target : targets) assign_to(b, target, source, value);
}

bool can_assign(Builder& b, const std::string& name, Variable& variable, const Type& type) {
  // After this assignment, Python has a float too, unless a branch skips it.
  if (type.is(variable.type.kind()) && variable.branches == b.frame->branches) variable.still_int = false;
  if (assignable(variable.type, type) || (variable.optional && type.is(Kind::none))) return true;
  if (variable.is_global && !b.frame->is_notebook)
    refuse("the global {} holds {}, and a function assigns {} to it", name, in_words(variable.type),
           in_words(type));
  if (!variable.type.is(Kind::tensor) || !type.is(Kind::tensor)) return false;
  const bool runs_once = variable.depth == b.scope().depth() && b.frame->loops == 0;
  if (variable.definition.empty()) return false;
  const auto common = *common_type(variable.type, type);
  variable.type = runs_once ? type : common;
  return true;
}

/// `encode = tokenizer_function`
static void rename_function(Builder& b, const Node& target, const std::string& name, const Value& function) {
  if (!function.is(Kind::function) || !b.frame->is_notebook || b.scope().depth() > 0)
    refuse("it assigns a function or class to another name");
  lose_readers_of(b, name);
  auto& other = b.scope().declare(name, function.type);
  other.definition = b.key(target, name);
  other.code = function.expr.text();
}

/// Refuses a copy of a list or dict in a function that changes it. In a cell, Python's run shows whether two
/// names share one.
static void refuse_second_name(Builder& b, const std::string& name, const Value& value) {
  if (value.temporary || !(value.is(Kind::list) || value.is(Kind::dict))) return;
  b.found.limits.emplace("C++ copies a list or dict that gets a second name");
  if (b.frame->is_notebook) return;
  const auto first = b.scope().name_with_code(cpp::printed(value.expr)).value_or("");
  const auto& changed = b.frame->uses.changed;
  if (!changed.contains(name) && !changed.contains(first)) return;
  refuse("a function assigns a {1} to {0} and changes it; {1}(…) copies it", name,
         value.is(Kind::list) ? "list" : "dict");
}

/// Returns the first value of a variable, which is `code` unless it is written out; empty if C++ needs none.
static cpp::Expr first_value(const Value& value, cpp::Expr code, bool inferred) {
  if (inferred && value.literal) code = printable(value);
  if (!inferred && value.literal && value.is(Kind::list) && !code) code = in_braces(value.elements);
  const bool empty = code.is(cpp::Kind::braces) && code.text().empty() && code.parts().empty();
  return empty ? cpp::Expr() : code;
}

/// Whether an assignment that certainly runs needs another variable of C++: this one cannot hold what blocks
/// below assign. If it can, notes what is known of a tensor now.
static bool is_held_anew(Builder& b, const Node& target, Variable& variable, const Type& type) {
  const auto all = type_for_all(b, target, std::string(target.id()), type);
  if (!assignable(variable.type, all)) return is_empty(type) || assignable(variable.type, type);
  variable.type.know(all.known());
  return false;
}

static std::string specifiers_of(const Variable& variable, bool unread) {
  return fmt::format("{}{}{}", unread ? "[[maybe_unused]] " : "", variable.is_static ? "static " : "",
                     variable.is_constant ? "const " : "");
}

/// Notes how C++ holds None: as std::nullopt, or as an empty dict.
static void note_none(Variable& variable, const Value& first) {
  const auto& type = variable.type;
  variable.optional = type.optional;
  variable.none_first =
      first.is(Kind::none) && !type.is(Kind::none) && !type.is(Kind::tensor) && !type.optional;
  variable.type = without_none(type);
}

void declare_name(Builder& b, const Node& target, const std::string& name, const Value& value) {
  const auto definition = b.key(target, name);
  const Type type = type_for_all(b, target, name, value.type);
  const bool widens = type != value.type || type.optional != value.type.optional;
  const auto code = widens ? widened(value, type) : value.expr;
  const auto tell = [&](Variable& variable) {
    variable.definition = definition;
    variable.line = b.line_of(target);
    variable.still_int = is_int_first(value.type, type);
    variable.widened = widens;
    note_none(variable, value);
    if (value.is(Kind::module) && !value.temporary) variable.same = first_name_of(b, value.expr);
    variable.is_global = b.frame->is_notebook && b.frame->uses.assigned_by_functions.contains(name);
  };
  if (b.frame->hoisted.contains(name)) {
    tell(declare_above(b, name, type));
    if (type.is(Kind::none)) return;
    return b.emit(cpp::Assign{.to = cpp::name(b.scope().own(name)->code), .value = assigned(code, type)});
  }
  if (auto* const collector = declare_collector(b, name, value, type)) return tell(*collector);
  // A later assignment or append determines its items.
  if (type.is(Kind::none) || is_open(type))
    return void(b.scope().declare(name, type).definition = definition);
  const bool once = b.frame->uses.assignments[name] == 1 && !widens;
  const bool constant = once && !type.is(Kind::pass) && !changes_in_use(type) && b.class_of(type) == nullptr;
  const bool unread = is_plain_number(type) && !is_read(b.frame->uses, name);
  const bool inferred = !type.optional && (type.is(Kind::pass) || is_inferred(b, type, constant));
  auto& variable = b.scope().declare(name, type);
  tell(variable);
  variable.branches = b.frame->branches;
  variable.is_constant = constant;
  if (constant && value.is(Kind::integer) && value.literal) variable.number = value.number;
  variable.is_static = is_read_by_classes(b, name) && (lasts(type) || can_be_static(type));
  if (variable.is_static && !(constant && lasts(type)))
    return declare_static(b, variable, assigned(code, type));
  b.emit(declaration(type, specifiers_of(variable, unread), inferred ? "auto" : cpp_type(type), variable.code,
                     value, first_value(value, code, inferred)));
}

/// Refuses a value whose type differs from that of its variable, and notes the type. If a block turns a
/// number that was read before into a tensor, which prints differently, the number gets a second variable
/// above the block, unless Python's run did not reach the block.
[[noreturn]] static void refuse_other_type(const std::string& name, const Variable& variable,
                                           const Value& value) {
  const bool numbers = variable.type.is_number() && value.type.is_number();
  const bool wider = widens(variable.type, value.type);
  if (!wider && !numbers)
    refuse("{} holds {} and then {}; another name would do", name, in_words(variable.type),
           in_words(value.type));
  refuse("{} changes its type", name);
}

/// Returns the value that a variable is assigned.
static cpp::Expr value_for(const Variable& variable, const Value& value) {
  return value.is(Kind::none) ? none_of(optional(variable.type)) : value.expr;
}

void assign_name(Builder& b, const Node& target, const Value& given) {
  const auto name = std::string(target.id());
  const auto value = b.frame->uses.dims.contains(name) ? list_of_dims(given) : given;
  if (name == "_" && value.acts()) return b.emit(cpp::Evaluate{value.expr});
  if (name == "_" && !is_read(b.frame->uses, name)) return;
  if (value.is(Kind::file)) return name_file(b, name, value);
  refuse_without_variable(value);
  refuse_second_name(b, name, value);
  if (!value.temporary && (value.is(Kind::function) || value.is(Kind::new_class)))
    return rename_function(b, target, name, value);
  auto* const variable = b.scope().own(name);
  if (variable == nullptr || !variable->missing.empty()) return declare_name(b, target, name, value);
  const bool of_loop = variable->definition.empty();
  const bool always = variable->depth + 1 == b.scope().depth();  // in the body itself
  if (of_loop && always && !assignable(variable->type, value.type))
    return declare_name(b, target, name, value);  // `for word in words: word = ["."] + list(word)`
  if (of_loop && (variable->is_constant || !assignable(variable->type, value.type)))
    refuse("a loop assigns to its own name");
  const bool is_next = variable->depth == b.scope().depth() && b.frame->loops == 0;
  if (is_next && !of_loop && !variable->is_global && is_held_anew(b, target, *variable, value.type)) {
    lose_readers_of(b, name);
    return declare_name(b, target, name, value);
  }
  if (can_assign(b, name, *variable, value.type)) {
    if (value.is(Kind::none) && !variable->optional) return;  // which has no variable
    return b.emit(cpp::Assign{.to = variable->expr(), .value = value_for(*variable, value)});
  }
  if (variable->widened && widens(value.type, variable->type)) {
    variable->still_int = is_int_first(value.type, variable->type);
    return b.emit(cpp::Assign{.to = cpp::name(variable->code),
                              .value = assigned(widened(value, variable->type), variable->type)});
  }
  if (is_next) {
    lose_readers_of(b, name);
    return declare_name(b, target, name, value);
  }
  refuse_other_type(name, *variable, value);
}

Variable& declare_above(Builder& b, const std::string& name, const Type& type) {
  auto& hoisted = b.frame->hoisted.at(name);
  auto& variable = b.scope().declare(name, type);
  variable.depth = hoisted.depth;
  variable.branches = hoisted.branches;
  variable.is_static = hoisted.is_static = is_read_by_classes(b, name);
  hoisted.type = type;
  hoisted.code = variable.code;
  return variable;
}

void declare_static(Builder& b, Variable& variable, const cpp::Expr& value) {
  variable.is_constant = false;
  auto declared = declared_first(variable.optional ? optional(variable.type) : variable.type, variable.code);
  declared.type.insert(0, "static ");
  b.emit(declared);
  b.emit(cpp::Assign{.to = cpp::name(variable.code), .value = value});
}

}  // namespace torchbook::translate
