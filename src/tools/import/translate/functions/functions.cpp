#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/translate/classes/autograd_functions.h>
#include <tools/import/translate/classes/classes.h>
#include <tools/import/translate/classes/common_bases.h>
#include <tools/import/translate/classes/members.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/functions/function_calls.h>
#include <tools/import/translate/functions/functions.h>
#include <tools/import/translate/functions/parameter_types.h>
#include <tools/import/translate/rows/calls_by_schema.h>
#include <tools/import/translate/rows/functional.h>
#include <tools/import/translate/statements/comments.h>
#include <tools/import/translate/statements/loops.h>
#include <tools/import/translate/statements/statements.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Returns the statements of a function, or nothing for a lambda.
std::vector<Node> statements_of(const Node& node) {
  return node.is(Ast::Lambda) ? std::vector<Node>{} : node.body();
}

/// Whether a loop is `while True:` without a break. A break of a loop inside of it counts as one, too.
bool is_endless(const Node& loop) {
  const auto test = loop.test();
  const bool always = test.is(Ast::Constant) && test.type() == "bool" && test.constant() == "True";
  return always && !loop.any([](const Node& each) { return each.is(Ast::Break); });
}

/// Whether the end of the statements is never reached. If it is, a function returns None there.
bool always_returns(const std::vector<Node>& statements) {
  if (statements.empty()) return false;
  const auto& last = statements.back();
  if (last.is(Ast::With)) return always_returns(last.body());
  if (last.is(Ast::While)) return is_endless(last);
  return last.is(Ast::Return) || last.is(Ast::Raise) ||
         (last.is(Ast::If) && always_returns(last.body()) && always_returns(last.orelse()));
}

/// Returns the names that a function returns unchanged.
Names returned_names(const std::vector<Node>& statements) {
  Names names;
  for (const auto& statement : statements) {
    statement.walk([&](const Node& each) {
      const bool name = each.is(Ast::Return) && each.has_value() && each.value().is(Ast::Name);
      if (name) names.emplace(each.value().id());
      return !each.is(Ast::FunctionDef) && !each.is(Ast::ClassDef) && !each.is(Ast::Lambda);
    });
  }
  return names;
}

/// Adds the keyword-only parameters. In C++ they are the last ones.
void add_keyword_only(const Node& given, std::vector<DefinedParameter>& parameters) {
  const auto names = given.kwonlyargs();
  if (names.empty()) return;
  std::vector<Node> defaults;
  try {
    defaults = given.kw_defaults();  // a parameter without a default has null, which is not a node
  } catch (const NotPorted&) {
    refuse("a keyword-only parameter has no default value");
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    parameters.push_back(
        {.name = std::string(names[i].arg()), .default_value = defaults.at(i), .keyword_only = true});
  }
}

}  // namespace

Function function_of(const Node& node, std::string key, bool is_method) {
  Function function{.key = std::move(key)};
  const auto given = node.parameters();
  if (given.has_kwarg()) refuse("a function has a parameter **kwargs");
  for (const auto& list : {given.posonlyargs(), given.args()}) {
    for (const auto& each : list) function.parameters.push_back({.name = std::string(each.arg())});
  }
  auto& parameters = function.parameters;
  const auto defaults = given.defaults();
  for (std::size_t i = 0; i < defaults.size(); ++i) {
    parameters[parameters.size() - defaults.size() + i].default_value = defaults[i];
  }
  if (given.has_vararg())
    parameters.push_back({.name = std::string(given.vararg().arg()), .takes_rest = true});
  add_keyword_only(given, parameters);
  if (!is_method) return function;
  if (parameters.empty() || parameters[0].name != "self") refuse("a method has no self");
  parameters.erase(parameters.begin());
  return function;
}

/// Whether a node reads a variable of the notebook.
static bool reads_variables(Builder& b, const Node& node) {
  return node.any(
      [&](const Node& each) { return each.is(Ast::Name) && b.frame->scope.find(each.id()) != nullptr; });
}

/// Returns the variable of the notebook that a default value names, if it keeps its value, or for a list, a
/// dict or a tensor, if it always names the same one; otherwise nullptr.
static const Variable* named_constant(Builder& b, const Node& node) {
  const auto* variable = node.is(Ast::Name) ? b.notebook.scope.find(node.id()) : nullptr;
  if (variable == nullptr || !variable->missing.empty()) return nullptr;
  const auto& type = variable->type;
  const bool plain =
      type.is_number() || type.is(Kind::string) || type.is(Kind::dtype) || type.is(Kind::device);
  const auto bound = b.notebook.uses.bindings.find(node.id());
  const bool once = bound != b.notebook.uses.bindings.end() && bound->second == 1;
  const bool kept = type.is(Kind::tensor) || type.is(types::Sequence::list) || type.is(Kind::dict);
  return (plain && variable->is_constant) || (kept && once) ? variable : nullptr;
}

/// Whether a default value is computed from constants: `size // 2`.
static bool is_of_constants(Builder& b, const Node& node) {
  if (node.is(Ast::UnaryOp)) return is_of_constants(b, node.operand());
  if (node.is(Ast::BinOp)) return is_of_constants(b, node.left()) && is_of_constants(b, node.right());
  return node.is(Ast::Constant) || named_constant(b, node) != nullptr;
}

/// Returns the default value of a parameter in C++; empty if each call must pass it instead.
static cpp::Expr default_code(Builder& b, const Node& node, const Type& type) {
  if (reads_variables(b, node) && is_of_constants(b, node)) return {};
  const auto value = expression(b, node);
  if (value.is(Kind::none) && !type.optional) {
    const bool undefined = type.is(Kind::tensor) || type.is(Kind::random) || is_function_of_torch(type);
    return undefined ? cpp::braces({}) : cpp::Expr();
  }
  if (value.is(Kind::none)) return none_of(type);
  if (type.is(Kind::tuple) && !(value.type == type))
    refuse("a default value and the argument of a call have different types");
  if (is_function_of_torch(value.type))
    return {};  // C++ cannot deduce the type of a function parameter from its default
  if (reads_variables(b, node) || (!value.literal && !value.is(Kind::floating) && !value.is(Kind::dtype)))
    refuse("a default value is not a number, a str, a bool or None");
  return type.is(Kind::floating) ? floating_literal(value) : value.expr;
}

Value default_value(Builder& b, const Node& node) {
  const bool means_other = node.any([&](const Node& each) {
    const auto* named = named_constant(b, each);
    return each.is(Ast::Name) && reads_variables(b, each) &&
           (named == nullptr || b.scope().find(each.id()) != named || named->depth > 0 ||
            named->definition.empty());
  });
  // default_code() let it pass, so its names were constants where the function was defined.
  if (means_other || (reads_variables(b, node) && !is_of_constants(b, node)))
    refuse("a name in a default value means something else at the call");
  if (node.any([](const Node& each) { return each.is(Ast::Call); }))
    refuse("a default value is not a number, a str, a bool or None");
  return expression(b, node);
}

/// Declares a parameter in the scope of its function, whose names are known.
static cpp::Parameter declared_parameter(Builder& b, Function& function, std::size_t place,
                                         const Type& type) {
  auto& parameter = function.parameters[place];
  const auto definition = fmt::format("{}:{}", function.key, parameter.name);
  if (type.is(Kind::record) && !b.state.records.contains(type.name()))
    refuse("a function reads a dict that a later cell defines");
  if (!is_of_class_below(b, type) && !knows_classes_in(b, type))
    refuse("a function takes a list of objects whose class is defined below it");
  const auto& uses = b.frame->uses;
  const bool changes = uses.assignments.contains(parameter.name);
  auto& variable = b.scope().declare(parameter.name, type);
  variable.definition = definition;
  variable.type.optional = false;
  variable.optional = type.optional;
  const auto seen = b.defined.parameters.find(function.key);
  const bool known = seen != b.defined.parameters.end() && seen->second.at(place);
  variable.is_none = known && seen->second[place]->is(Kind::none) && !changes;
  const bool container = type.is(Kind::list) || type.is(Kind::dict);
  parameter.changes = container && !uses.bindings.contains(parameter.name) &&
                      (changes || uses.changed.contains(parameter.name));
  if (parameter.changes && parameter.default_value)
    refuse("a function changes its default value of {}", parameter.name);
  variable.is_constant = container ? !parameter.changes : !changes;
  const auto written = is_of_class_below(b, type) || is_empty(type) ? "auto"
                       : parameter.changes                          ? cpp_type(type) + "&"
                       : changes && !type.optional                  ? cpp_type(type)
                                                                    : cpp_parameter(type);
  return {.type = written, .name = variable.code};
}

std::vector<cpp::Parameter> parameter_list(Builder& b, Function& function, const Node& node,
                                           const std::vector<Type>& types) {
  std::vector<cpp::Parameter> list;
  Uses uses;
  for (const auto& statement : statements_of(node)) add_uses(statement, 0, uses);
  if (node.is(Ast::Lambda)) add_uses(node.single_body(), 0, uses);
  sort_lines(uses);
  uses.dims = dims_in(statements_of(node), b.notebook.uses.members);
  function.types = types;
  b.frame->uses = std::move(uses);
  b.frame->returned = returned_names(statements_of(node));
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    list.push_back(declared_parameter(b, function, i, types[i]));
  for (std::size_t i = list.size(); i-- > 0;) {  // C++ takes defaults only at the end
    auto& parameter = function.parameters[i];
    list[i].default_value =
        parameter.default_value ? default_code(b, *parameter.default_value, types[i]) : cpp::Expr();
    parameter.has_default_in_cpp = static_cast<bool>(list[i].default_value);
    if (!parameter.has_default_in_cpp) break;
  }
  return list;
}

bool is_without_gradients(Builder& b, const Node& function) {
  if (function.is(Ast::Lambda)) return false;
  const auto decorators = function.decorator_list();
  const bool only = decorators.size() == 1 && decorators[0].is(Ast::Call) && decorators[0].args().empty() &&
                    decorators[0].keywords().empty() && b.path_of(decorators[0].func()) == "torch.no_grad";
  if (!decorators.empty() && !only) refuse("a function has a decorator other than torch.no_grad()");
  return only;
}

/// Whether a function had a result of this kind in Python's run.
static bool returned(const Frame& frame, Kind kind) {
  if (frame.called == nullptr) return false;
  const auto found = frame.called->types.find(CalledFunction::result);
  return found != frame.called->types.end() &&
         std::any_of(found->second.begin(), found->second.end(),
                     [&](const SeenType& each) { return each && each->is(kind); });
}

/// Whether a function returned tensors in Python's run. Its None is an undefined tensor in C++, and a number
/// a tensor that wraps it.
static bool returns_tensor(const Frame& frame) { return returned(frame, Kind::tensor); }

void end_function(Builder& b, const Node& node, Function& function, cpp::Stmts& body) {
  const auto declared = cpp::declared_in(body);
  function.effects = cpp::without_contents(cpp::effects_of(body), declared);
  for (const auto& name : declared) function.effects.records.erase(name);
  for (const auto& parameter : function.parameters) {  // callers see the change under another name
    const auto* variable = b.scope().own(parameter.name);
    if (variable != nullptr) function.effects.records.erase(variable->code);
    const cpp::Effect own{cpp::Place::contents, variable == nullptr ? "" : variable->code};
    if (variable == nullptr || function.effects.writes.erase(own) == 0) continue;
    const bool container = variable->type.is(Kind::list) || variable->type.is(Kind::dict);
    if (container) function.effects.writes.insert({cpp::Place::contents, {}});
  }
  if (b.frame->raises) function.effects.add(cpp::writes(cpp::Place::control));
  const auto result = b.frame->result.value_or(Type{});
  if (function.calls_itself && !(function.result == result))
    refuse("a function that calls itself returns {}, but {} in Python's run", in_words(result),
           in_words(function.result));
  function.result = result;
  function.raises = b.frame->raises;
  function.draws_in_python = b.frame->draws_in_python;
  function.draws_in_numpy = b.frame->draws_in_numpy;
  function.outer_names = b.frame->outer_names;
  function.translated = true;
  const auto ended = std::exchange(b.frame, b.frame->outer);
  const bool returns = node.is(Ast::Lambda) || always_returns(node.body());
  if (function.result.is(Kind::none) || (returns && !ended->returns_none)) return;
  if (!returns_tensor(*ended)) refuse("a function may return a value or None");
  if (!returns) body.push_back({.kind = cpp::Return{none_of(function.result)}});
}

/// Returns None: an undefined tensor, if the function also returns tensors.
static void return_none(Builder& b) {
  b.frame->returns_none = true;
  b.emit(cpp::Return{returns_tensor(*b.frame) ? none_of(Type(Kind::tensor)) : cpp::Expr()});
}

static void return_expression(Builder& b, const Node& node) {
  if (b.frame->of_class != nullptr && b.frame->of_class->is_autograd) return return_to_autograd(b, node);
  if (node.is(Ast::Lambda)) b.frame->returned.insert("lambda");
  auto value = expression(b, node);
  if (value.is(Kind::none) && !value.acts()) return return_none(b);
  if (value.expr.is(cpp::form::value_of_optional) && returned(*b.frame, Kind::none))
    refuse("a function may return a value or None");
  for (std::size_t i = 0; i < value.elements.size(); ++i) {
    if (!value.is(Kind::tuple) || !value.elements[i].is(Kind::none) || value.elements[i].acts()) continue;
    value.elements[i] = tensor_of(none_of(Type(Kind::tensor)));
    value.type.items[i] = Kind::tensor;
  }
  if (is_empty(value.type) && value.literal && b.frame->wanted.is(value.type.kind())) {
    value.type = b.frame->wanted;
    value.expr = cpp::braces({});
  }
  const auto& items = value.type.items;
  const bool holds_function =
      std::any_of(items.begin(), items.end(), [](const auto& item) { return item.is(Kind::function); });
  if (holds_function) refuse("a function returns several functions");
  const auto& type = value.type;
  refuse_template(b, type);
  if (type.is(Kind::none)) refuse("a function returns None");
  if (type.is(Kind::generator)) refuse("a function returns a generator");
  if (type.is_number() && returns_tensor(*b.frame))
    value = tensor_of(cpp::call("torchbook::wrapped", {value.expr}));
  const auto before = b.frame->result.value_or(type);
  const auto common = common_type(before, type);
  if (!common) refuse("a function returns different types");
  b.frame->result = *common;
  b.emit(cpp::Return{value.literal && !value.elements.empty() ? printable(value) : value.expr});
}

static void function_body(Builder& b, const Node& node) {
  if (is_without_gradients(b, node)) b.emit(cpp::Plain{"torch::NoGradGuard no_grad;"});
  const auto statements = statements_of(node);
  block_statements(b, statements);
  if (node.is(Ast::Lambda)) return_expression(b, node.single_body());
}

/// Returns the type of a function that calls itself: `std::function<int64_t(int64_t)>`.
static std::string type_of_function(Builder& b, const Frame& frame, const Function& function,
                                    const std::vector<cpp::Parameter>& list) {
  std::vector<std::string> types;
  for (const auto& each : list) {
    if (each.default_value) refuse("a function with a default value calls itself");
    types.push_back(each.type);
  }
  if (frame.is_returned) refuse("a function that calls itself is returned");
  b.need("#include <functional>");
  const auto& result = function.result;
  return fmt::format("std::function<{}({})>", result.is(Kind::none) ? "void" : cpp_type(result),
                     fmt::join(types, ", "));
}

/// Emits a function as a lambda.
static void write_function(Builder& b, const Node& node, const std::string& name, Function& function,
                           const std::vector<Type>& types) {
  const auto code = b.scope().own(name)->code;
  Frame frame{.scope = Scope(&b.scope()), .outer = b.frame};
  frame.is_returned = b.frame->returned.contains(name);
  frame.called_by_classes = b.frame->is_notebook && b.notebook.uses.read_by_classes.contains(name);
  frame.key = function.key;
  frame.called = b.called(node);
  b.frame = &frame;
  auto list = parameter_list(b, function, node, types);
  auto body = b.captured([&] { function_body(b, node); });
  end_function(b, node, function, body);
  const auto& result = function.result;
  const bool says = result.is_number() || result.is(Kind::string) || result.is(Kind::list) ||
                    result.is(Kind::dict) || result.is(Kind::tuple);
  const bool unread = name != "lambda" && !is_read(b.frame->uses, name);
  const bool prints = cpp::mentioned_in(body).contains("nb");
  const bool reads = frame.reads_outside || prints;
  function.is_static = frame.called_by_classes && !reads;
  const auto* const capture = !reads ? "" : !frame.is_returned ? "&" : prints ? "=, &nb" : "=";
  const auto type =
      fmt::format("{}{}const {}", function.is_static ? "static " : "", unread ? "[[maybe_unused]] " : "",
                  function.calls_itself ? type_of_function(b, frame, function, list) : "auto");
  declare_notebook_pointer(b, body);
  b.emit(cpp::Declare{
      .type = type,
      .name = code,
      .value = cpp::lambda(capture, std::move(list), std::move(body), says ? cpp_type(result) : "")});
}

void define(Builder& b, const Node& node, const std::string& name) {
  is_without_gradients(b, node);  // refuses other decorators
  lose_readers_of(b, name);
  const auto definition = b.key(node, name);
  auto& function = b.defined.functions[definition] = function_of(node, definition, /*is_method=*/false);
  auto& variable = b.scope().declare(name, named_type(Kind::function, definition));
  variable.definition = definition;
  note_observed(b, node, function);
  write_function(b, node, name, function, parameter_types(b, node, function));
}

void return_value(Builder& b, const Node& node) {
  if (b.frame->is_notebook) refuse("a return is outside of a function");
  if (node.has_value()) return return_expression(b, node.value());
  return_none(b);
}

void never_ran(Builder& b, int line, std::string_view head, std::string_view tail, const NotPorted& why) {
  b.need("#include <torchbook/runtime/errors.h>");
  b.emit(
      cpp::Stmt{.kind = cpp::Plain{fmt::format("{}torchbook::never_ran(\"line {}\");{}", head, line, tail)},
                .comment = why.what()});
}

void or_never_ran(Builder& b, bool never, const std::function<void()>& write,
                  const std::function<void(const NotPorted& why)>& on_failure) {
  if (!never) return b.add(b.captured(write));
  const Snapshot snapshot(b);
  const bool ran = std::exchange(b.here.runs, false);
  auto* const reasons = std::exchange(b.here.reasons, nullptr);
  try {
    b.add(b.captured(write));
    b.here.runs = ran;
    b.here.reasons = reasons;
  } catch (const NotPorted& why) {
    snapshot.restore();
    on_failure(why);
  }
}

/// Whether nothing called a function, or a method of a class, in Python's run.
static bool never_used(Builder& b, const Node& definition) {
  if (!definition.is(Ast::ClassDef)) return never_called(b, definition);
  std::vector<Node> methods;
  for (const auto& each : definition.body()) {
    if (each.is(Ast::FunctionDef)) methods.push_back(each);
  }
  return !methods.empty() && std::all_of(methods.begin(), methods.end(),
                                         [&b](const Node& method) { return never_called(b, method); });
}

void definition(Builder& b, const Node& node) {
  const auto name = std::string(node.name());
  const bool is_class = node.is(Ast::ClassDef);
  const auto write = [&] { is_class ? define_class(b, node) : define(b, node, name); };
  or_never_ran(b, never_used(b, node), write, [&](const NotPorted& why) {
    const auto* variable = b.scope().own(name);
    const bool declared = variable != nullptr && variable->type.name() == b.key(node, name);
    const auto code = declared ? variable->code : b.scope().declare(name, Type{}).code;
    b.scope().lose(name, fmt::format("{} has no translation: {}", name, why.what()), b.here.cell);
    if (is_class)
      return never_ran(b, node.line(), fmt::format("struct {0} {{ {0}() {{ ", code), " } };", why);
    never_ran(b, node.line(), fmt::format("[[maybe_unused]] const auto {} = [](const auto&...) {{ ", code),
              " };", why);
  });
}

/// Calls a function of PyTorch with tensors that have these names in C++.
static Value call_with_tensors(Builder& b, const std::string& path, const std::vector<std::string>& names) {
  Arguments given;
  for (const auto& name : names) given.positional.push_back(tensor_of(cpp::name(name)));
  const auto name = path.substr(path.rfind('.') + 1);
  auto called = path.starts_with("torch.nn.functional.") ? call_functional(b, name, given)
                                                         : call_torch(b, name, given, false);
  if (!called.is(Kind::tensor) || called.acts()) refuse("{} as a value returns more than a tensor", path);
  return called;
}

void define_function_of_tensors(Builder& b, const char* key, const std::vector<std::string>& names) {
  Function function{.key = key,
                    .result = Type(Kind::tensor),
                    .effects = cpp::reads(cpp::Place::memory),
                    .is_static = true,
                    .translated = true};
  for (const auto& name : names) function.parameters.push_back({.name = name == "x" ? "input" : name});
  b.defined.functions.insert_or_assign(key, std::move(function));
}

Value as_function_of_tensors(Builder& b, Value value) {
  if (!value.is(Kind::function) || is_function_of_torch(value.type)) return value;
  auto& function = b.function_named(value.type.name());
  if (function.parameters.size() != 1) return value;
  check_call(b, function, {Type(Kind::tensor)});
  const bool only_reads = function.translated && !cpp::changes_values(function.effects);
  if (!only_reads || !function.result.is(Kind::tensor)) return value;
  define_function_of_tensors(b, tensor_function, {"x"});
  value.type = named_type(Kind::function, tensor_function);
  return value;
}

Value function_of_torch(Builder& b, const std::string& path) {
  std::vector<std::string> names = {"x"};
  std::optional<Value> called;
  try {
    called = call_with_tensors(b, path, names);
  } catch (const NotPorted&) {
    names = {"input", "other"};
    called = call_with_tensors(b, path, names);
  }
  std::vector<cpp::Parameter> parameters;
  parameters.reserve(names.size());
  for (const auto& name : names) parameters.push_back({.type = "const Tensor&", .name = name});
  const auto* const key = names.size() == 1 ? tensor_function : pair_function;
  define_function_of_tensors(b, key, names);
  auto body = b.captured([&] { b.emit(cpp::Return{called->expr}); });
  return value_of(named_type(Kind::function, key), cpp::lambda("", std::move(parameters), std::move(body)));
}

Value lambda(Builder& b, const Node& node) {
  define(b, node, "lambda");
  const auto* variable = b.scope().own("lambda");
  auto value = value_of(variable->type, cpp::name(variable->code));
  value.temporary = false;
  return value;
}

}  // namespace torchbook::translate
