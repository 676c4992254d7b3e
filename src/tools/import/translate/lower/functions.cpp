// Translates functions to lambdas of C++, whose parameters have the types of their calls, and functions that
// are arguments of others.
#include <fmt/format.h>
#include <tools/import/translate/lower/translator.h>

#include <algorithm>
#include <tuple>

namespace torchbook::translate {
namespace {

/// Returns the statements of a function, or nothing for a lambda.
std::vector<Node> statements_of(const Node& node) {
  return node.is("Lambda") ? std::vector<Node>{} : node.list("body");
}

/// Whether a loop is `while True:` without a break. A break of a loop inside of it counts as one, too.
bool is_endless(const Node& loop) {
  const auto test = loop.child("test");
  const bool always = test.is("Constant") && test.text("type") == "bool" && test.text("value") == "True";
  return always && !loop.any([](const Node& each) { return each.is("Break"); });
}

/// Whether the end of the statements is never reached. If it is, a function returns None there.
bool always_returns(const std::vector<Node>& statements) {
  if (statements.empty()) return false;
  const auto& last = statements.back();
  if (last.is("With")) return always_returns(last.list("body"));
  if (last.is("While")) return is_endless(last);
  return last.is("Return") || last.is("Raise") ||
         (last.is("If") && always_returns(last.list("body")) && always_returns(last.list("orelse")));
}

/// Returns the names that a function returns as they are.
Names returned_names(const std::vector<Node>& statements) {
  Names names;
  for (const auto& statement : statements) {
    statement.walk([&](const Node& each) {
      const bool name = each.is("Return") && each.has("value") && each.child("value").is("Name");
      if (name) names.emplace(each.child("value").text("id"));
      return !each.is("FunctionDef") && !each.is("ClassDef") && !each.is("Lambda");
    });
  }
  return names;
}

/// Adds the parameters after a `*`, which only a name can give. In C++ they are the last ones.
void add_keyword_only(const Node& given, std::vector<DefinedParameter>& parameters) {
  const auto names = given.list("kwonlyargs");
  if (names.empty()) return;
  std::vector<Node> defaults;
  try {
    defaults = given.list("kw_defaults");  // None for a parameter without a default is no node
  } catch (const NotPorted&) {
    throw NotPorted("a parameter that only a name can give has no default");
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    parameters.push_back(
        {.name = std::string(names[i].text("arg")), .otherwise = defaults.at(i), .keyword_only = true});
  }
}

}  // namespace

Function function_of(const Node& node, std::string key, bool is_method) {
  Function function{.key = std::move(key)};
  const auto given = node.child("args");
  if (given.has("kwarg")) throw NotPorted("a function takes any names");
  for (const auto* list : {"posonlyargs", "args"}) {
    for (const auto& each : given.list(list))
      function.parameters.push_back({.name = std::string(each.text("arg"))});
  }
  auto& parameters = function.parameters;
  const auto defaults = given.list("defaults");
  for (std::size_t i = 0; i < defaults.size(); ++i) {
    parameters[parameters.size() - defaults.size() + i].otherwise = defaults[i];
  }
  if (given.has("vararg"))
    parameters.push_back({.name = std::string(given.child("vararg").text("arg")), .takes_rest = true});
  add_keyword_only(given, parameters);
  if (!is_method) return function;
  if (parameters.empty() || parameters[0].name != "self") throw NotPorted("a method has no self");
  parameters.erase(parameters.begin());
  return function;
}

bool Translator::reads_variables(const Node& node) const {
  return node.any(
      [&](const Node& each) { return each.is("Name") && frame_->scope.find(each.text("id")) != nullptr; });
}

/// Returns the default value of a parameter in C++; empty if each call must pass it instead.
cpp::Expr Translator::default_code(const Node& node, const Type& type) {
  if (reads_variables(node) && is_of_constants(node)) return {};
  const auto value = expression(node);
  if (value.is(Kind::none) && !type.optional) {
    const bool undefined = type.is(Kind::tensor) || type.is(Kind::random);
    return undefined ? cpp::braces({}) : cpp::Expr();
  }
  if (value.is(Kind::none)) return none_of(type);
  if (type.is(Kind::tuple) && !(value.type == type))
    throw NotPorted("a default value has another type than what a call gives");
  if (is_function_of_torch(value.type))
    return {};  // C++ does not learn the type of a function from its default
  if (reads_variables(node) || (!value.literal && !value.is(Kind::floating) && !value.is(Kind::dtype)))
    throw NotPorted("a default value is not a number, a str, a bool or None");
  return type.is(Kind::floating) ? floating_literal(value) : value.expr;
}

/// Returns the variable of the notebook that a default value names, if it keeps its value, or for a list, a
/// dict or a tensor, if it always names the same one; otherwise nullptr.
const Variable* Translator::named_constant(const Node& node) {
  const auto* variable = node.is("Name") ? notebook_.scope.find(node.text("id")) : nullptr;
  if (variable == nullptr || !variable->missing.empty()) return nullptr;
  const auto& type = variable->type;
  const bool plain =
      type.is_number() || type.is(Kind::string) || type.is(Kind::dtype) || type.is(Kind::device);
  const auto bound = notebook_.uses.bindings.find(node.text("id"));
  const bool once = bound != notebook_.uses.bindings.end() && bound->second == 1;
  const bool kept = type.is(Kind::tensor) || type.is(types::Sequence::list) || type.is(Kind::dict);
  return (plain && variable->is_constant) || (kept && once) ? variable : nullptr;
}

/// Whether a default value is computed from constants: `size // 2`.
bool Translator::is_of_constants(const Node& node) {
  if (node.is("UnaryOp")) return is_of_constants(node.child("operand"));
  if (node.is("BinOp")) return is_of_constants(node.child("left")) && is_of_constants(node.child("right"));
  return node.is("Constant") || named_constant(node) != nullptr;
}

/// Returns the default value for an argument that a call leaves out.
Value Translator::default_value(const Node& node) {
  const bool means_other = node.any([&](const Node& each) {
    const auto* named = named_constant(each);
    return each.is("Name") && reads_variables(each) &&
           (named == nullptr || scope().find(each.text("id")) != named || named->depth > 0 ||
            named->definition.empty());
  });
  // default_code() let it pass, so its names were constants where the function was defined.
  if (means_other || (reads_variables(node) && !is_of_constants(node)))
    throw NotPorted("a default value has a name that means something else where it is called");
  if (node.any([](const Node& each) { return each.is("Call"); }))
    throw NotPorted("a default value is not a number, a str, a bool or None");
  return expression(node);
}

/// Declares a parameter in the scope of its function, whose names are known.
cpp::Parameter Translator::declared_parameter(Function& function, std::size_t place, Type type) {
  auto& parameter = function.parameters[place];
  const auto definition = fmt::format("{}:{}", function.key, parameter.name);
  if (const auto* held = facts_->later(definition); held != nullptr && is_empty(type)) type = *held;
  if (type.is(Kind::record) && !records_.contains(type.name()))
    throw NotPorted("a function reads a dict that a later cell defines");
  if (!is_of_class_below(type) && !knows_classes_in(type))
    throw NotPorted("a function takes a list of objects whose class is defined below it");
  const auto& uses = frame_->uses;
  const bool changes = uses.assignments.contains(parameter.name);
  auto& variable = scope().declare(parameter.name, type);
  variable.definition = definition;
  if (facts_->mixes(variable.definition)) variable.type = without_numbers(type);
  variable.type.optional = false;
  variable.optional = type.optional;
  const auto* called = facts_->parameters(function.key);
  variable.is_none = called != nullptr && called->at(place).is(Kind::none) && !changes;
  const bool container = type.is(Kind::list) || type.is(Kind::dict);
  parameter.changes = container && !uses.bindings.contains(parameter.name) &&
                      (changes || uses.changed.contains(parameter.name));
  if (parameter.changes && parameter.otherwise)
    throw NotPorted("a function changes its default value of {}", parameter.name);
  variable.is_constant = container ? !parameter.changes : !changes;
  const auto written = is_of_class_below(type) || is_empty(type) ? "auto"
                       : parameter.changes                       ? cpp_type(type) + "&"
                       : changes && !type.optional               ? cpp_type(type)
                                                                 : cpp_parameter(type);
  return {.type = written, .name = variable.code};
}

std::vector<cpp::Parameter> Translator::parameter_list(Function& function, const Node& node,
                                                       const std::vector<Type>& types) {
  std::vector<cpp::Parameter> list;
  Uses uses;
  for (const auto& statement : statements_of(node)) add_uses(statement, 0, uses);
  if (node.is("Lambda")) add_uses(node.child("body"), 0, uses);
  sort_lines(uses);
  uses.dims = dims_in(statements_of(node), notebook_.uses.members);
  frame_->uses = std::move(uses);
  frame_->returned = returned_names(statements_of(node));
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    list.push_back(declared_parameter(function, i, types[i]));
  for (std::size_t i = list.size(); i-- > 0;) {  // C++ takes defaults only at the end
    auto& parameter = function.parameters[i];
    list[i].otherwise = parameter.otherwise ? default_code(*parameter.otherwise, types[i]) : cpp::Expr();
    parameter.default_stands = static_cast<bool>(list[i].otherwise);
    if (!parameter.default_stands) break;
  }
  return list;
}

bool Translator::is_without_gradients(const Node& function) const {
  if (function.is("Lambda")) return false;
  const auto decorators = function.list("decorator_list");
  const bool only = decorators.size() == 1 && decorators[0].is("Call") &&
                    decorators[0].list("args").empty() && decorators[0].list("keywords").empty() &&
                    path_of(decorators[0].child("func")) == "torch.no_grad";
  if (!decorators.empty() && !only) throw NotPorted("a function has another decorator than torch.no_grad()");
  return only;
}

/// Completes a function with what its translated body shows: effects, result, names that it reads.
void Translator::end_function(const Node& node, Function& function, cpp::Stmts& body) {
  const auto declared = cpp::declared_in(body);
  function.effects = cpp::without_contents(cpp::effects_of(body), declared);
  for (const auto& name : declared) function.effects.records.erase(name);
  for (const auto& parameter : function.parameters) {  // others see a change under another name
    const auto* variable = scope().own(parameter.name);
    if (variable != nullptr) function.effects.records.erase(variable->code);
    const cpp::Effect own{cpp::Place::contents, variable == nullptr ? "" : variable->code};
    if (variable == nullptr || function.effects.writes.erase(own) == 0) continue;
    const bool container = variable->type.is(Kind::list) || variable->type.is(Kind::dict);
    if (container) function.effects.writes.insert({cpp::Place::contents, {}});
  }
  if (frame_->raises) function.effects.add(cpp::writes(cpp::Place::control));
  function.result = frame_->result.value_or(Type{});
  function.raises = frame_->raises;
  function.outer_names = frame_->outer_names;
  function.translated = true;
  const auto ended = std::exchange(frame_, frame_->outer);
  const bool returns = node.is("Lambda") || always_returns(node.list("body"));
  if (function.result.is(Kind::none) || (returns && !ended->gives_none)) return;
  const bool known = facts_->later(ended->result_key) != nullptr;
  const bool fits = function.result.is(Kind::tensor);
  if (fits) facts_->becomes(ended->result_key, Kind::tensor);
  if (!known || !fits) throw NotPorted("a function returns a value or None");
  if (!returns) body.push_back({.kind = cpp::Return{none_of(function.result)}});
}

void Translator::function_body(const Node& node) {
  if (is_without_gradients(node)) emit(cpp::Plain{"torch::NoGradGuard no_grad;"});
  const auto statements = statements_of(node);
  block_statements(statements);
  if (node.is("Lambda")) return_expression(node.child("body"));
}

/// Defines a function, or a lambda that gets a name.
void Translator::define(const Node& node, const std::string& name) {
  is_without_gradients(node);  // refuses other decorators
  lose_readers_of(name);
  const auto definition = key(node, name);
  auto& function = functions_[definition] = function_of(node, definition, /*is_method=*/false);
  auto& variable = scope().declare(name, named_type(Kind::function, definition));
  variable.definition = definition;
  note_observed(node, function);
  const auto write = [this, node, name, &function] {
    write_function(node, name, function, parameter_types(node, function));
  };
  learn_later(definition, write);
  if (knows_parameters(function, never_called(node))) if_learned(write);
}

/// Writes a function as a lambda of C++.
void Translator::write_function(const Node& node, const std::string& name, Function& function,
                                const std::vector<Type>& types) {
  const auto code = scope().own(name)->code;
  Frame frame{.scope = Scope(&scope()), .outer = frame_};
  frame.is_returned = frame_->returned.contains(name);
  frame.serves_classes = frame_->is_notebook && notebook_.uses.read_by_classes.contains(name);
  frame.result_key = function.key + " result";
  frame_ = &frame;
  auto list = parameter_list(function, node, types);
  auto body = captured([&] { function_body(node); });
  end_function(node, function, body);
  const auto& result = function.result;
  const bool says = result.is_number() || result.is(Kind::string) || result.is(Kind::list) ||
                    result.is(Kind::dict) || result.is(Kind::tuple);
  const bool unread = name != "lambda" && !is_read(frame_->uses, name);
  const bool prints = cpp::mentioned_in(body).contains("nb");
  const bool reads = frame.reads_outside || prints;
  function.is_static = frame.serves_classes && !reads;
  const auto* const capture = !reads ? "" : !frame.is_returned ? "&" : prints ? "=, &nb" : "=";
  const auto type =
      fmt::format("{}{}const auto", function.is_static ? "static " : "", unread ? "[[maybe_unused]] " : "");
  declare_notebook_pointer(body);
  emit(cpp::Declare{
      .type = type,
      .name = code,
      .value = cpp::lambda(capture, std::move(list), std::move(body), says ? cpp_type(result) : "")});
}

void Translator::return_value(const Node& node) {
  if (frame_->is_notebook) throw NotPorted("a return is outside of a function");
  if (node.has("value")) return return_expression(node.child("value"));
  return_none();
}

/// Returns None. If the function returns tensors, too, that is one which is not defined.
void Translator::return_none() {
  frame_->gives_none = true;
  emit(cpp::Return{facts_->later(frame_->result_key) == nullptr ? cpp::Expr() : none_of(Type(Kind::tensor))});
}

void Translator::return_expression(const Node& node) {
  if (frame_->of_class != nullptr && frame_->of_class->is_autograd) return return_to_autograd(node);
  if (node.is("Lambda")) frame_->returned.insert("lambda");
  auto value = expression(node);
  if (value.is(Kind::none) && !value.acts()) return return_none();
  for (std::size_t i = 0; i < value.elements.size(); ++i) {
    if (!value.is(Kind::tuple) || !value.elements[i].is(Kind::none) || value.elements[i].acts()) continue;
    value.elements[i] = tensor_of(none_of(Type(Kind::tensor)));
    value.type.items[i] = Kind::tensor;
  }
  if (is_empty(value.type) && value.literal && frame_->wanted.is(value.type.kind())) {
    value.type = frame_->wanted;
    value.expr = cpp::braces({});
  }
  const auto& items = value.type.items;
  const bool holds_function =
      std::any_of(items.begin(), items.end(), [](const auto& item) { return item.is(Kind::function); });
  if (holds_function) throw NotPorted("a function returns several functions");
  const auto& type = value.type;
  refuse_template(type);
  if (type.is(Kind::none)) throw NotPorted("a function returns None");
  if (type.is(Kind::generator)) throw NotPorted("a function returns a generator");
  if (type.is_number() && facts_->later(frame_->result_key) != nullptr)
    value = tensor_of(cpp::call("torchbook::wrapped", {value.expr}));
  const auto before = frame_->result.value_or(type);
  const auto common = common_type(before, type);
  const bool mixes =
      (before.is_number() && type.is(Kind::tensor)) || (before.is(Kind::tensor) && type.is_number());
  if (!common && mixes) facts_->becomes(frame_->result_key, Kind::tensor);
  if (!common) throw NotPorted("a function returns different types");
  frame_->result = *common;
  emit(cpp::Return{value.literal && !value.elements.empty() ? printable(value) : value.expr});
}

/// Emits what stands for Python without a translation that this run does not come to: it throws.
void Translator::never_ran(int line, std::string_view head, std::string_view tail, const NotPorted& why) {
  need("#include <torchbook/runtime/errors.h>");
  emit(cpp::Stmt{.kind = cpp::Plain{fmt::format("{}torchbook::never_ran(\"line {}\");{}", head, line, tail)},
                 .comment = why.what()});
}

/// Translates what did not run if `never` is set. If it cannot be translated, calls `otherwise` with the
/// reason.
void Translator::or_never_ran(bool never, const std::function<void()>& write,
                              const std::function<void(const NotPorted& why)>& otherwise) {
  if (!never) return add(captured(write));
  auto& frame = *frame_;
  const auto depth = scope().depth();
  const auto before =
      std::tuple(frame_, tries_, records_, held_, declared_bases_, has_notebook_pointer_, open_,
                 frame.hoisted, frame.loops, frame.branches, frame.result, frame.gives_none);
  const bool ran = std::exchange(runs_, false);
  try {
    add(captured(write));
    runs_ = ran;
  } catch (const NotPorted& why) {
    runs_ = ran;
    std::tie(frame_, tries_, records_, held_, declared_bases_, has_notebook_pointer_, open_, frame.hoisted,
             frame.loops, frame.branches, frame.result, frame.gives_none) = before;
    while (scope().depth() > depth) scope().close();
    otherwise(why);
  }
}

/// Whether Python's run shows that nothing called a function, or a method of a class.
bool Translator::never_used(const Node& definition) const {
  if (!definition.is("ClassDef")) return never_called(definition);
  std::vector<Node> methods;
  for (const auto& each : definition.list("body")) {
    if (each.is("FunctionDef")) methods.push_back(each);
  }
  return !methods.empty() && std::all_of(methods.begin(), methods.end(),
                                         [this](const Node& method) { return never_called(method); });
}

/// Translates a function or class. If nothing used it, it needs no translation.
void Translator::definition(const Node& node) {
  const auto name = std::string(node.text("name"));
  const bool is_class = node.is("ClassDef");
  const auto write = [&] { is_class ? define_class(node) : define(node, name); };
  or_never_ran(never_used(node), write, [&](const NotPorted& why) {
    const auto* variable = scope().own(name);
    const bool declared = variable != nullptr && variable->type.name() == key(node, name);
    const auto code = declared ? variable->code : scope().declare(name, Type{}).code;
    scope().lose(name, fmt::format("{} has no translation: {}", name, why.what()), cell_);
    if (is_class) return never_ran(node.line(), fmt::format("struct {0} {{ {0}() {{ ", code), " } };", why);
    never_ran(node.line(), fmt::format("[[maybe_unused]] const auto {} = [](const auto&...) {{ ", code),
              " };", why);
  });
}

/// Returns a function of the notebook. One that is an argument may be defined below the function that calls
/// it.
Function& Translator::function_named(const std::string& key) {
  if (const auto found = functions_.find(key); found != functions_.end()) return found->second;
  auto* known = facts_->function(key);
  if (known == nullptr) throw NotPorted("it calls a function that is not known");
  return *known;
}

/// Calls a function of PyTorch with tensors that have these names in C++.
Value Translator::call_with_tensors(const std::string& path, const std::vector<std::string>& names) {
  Arguments given;
  for (const auto& name : names) given.positional.push_back(tensor_of(cpp::name(name)));
  const auto name = path.substr(path.rfind('.') + 1);
  auto called = path.starts_with("torch.nn.functional.") ? call_functional(name, given)
                                                         : call_torch(name, given, false);
  if (!called.is(Kind::tensor) || called.acts())
    throw NotPorted("{} as a value does more than to make a tensor", path);
  return called;
}

/// Returns a function of PyTorch as a value: `torch.relu` in `{"relu": torch.relu}`, or `F.mse_loss`. Throws
/// NotPorted unless it maps one or two tensors to a tensor.
Value Translator::function_of_torch(const std::string& path) {
  std::vector<std::string> names = {"x"};
  std::optional<Value> called;
  try {
    called = call_with_tensors(path, names);
  } catch (const NotPorted&) {
    names = {"input", "other"};
    called = call_with_tensors(path, names);
  }
  const auto* const key = names.size() == 1 ? tensor_function : pair_function;
  Function function{.key = key,
                    .result = Type(Kind::tensor),
                    .effects = cpp::reads(cpp::Place::memory),
                    .is_static = true,
                    .translated = true};
  std::vector<cpp::Parameter> parameters;
  for (const auto& name : names) {
    function.parameters.push_back({.name = name == "x" ? "input" : name});
    parameters.push_back({.type = "const Tensor&", .name = name});
  }
  functions_.insert_or_assign(key, std::move(function));
  auto body = captured([&] { emit(cpp::Return{called->expr}); });
  return value_of(named_type(Kind::function, key), cpp::lambda("", std::move(parameters), std::move(body)));
}

/// Gives a lambda that is an argument a variable in C++. Its name is `lambda`, which no name in
/// Python can be.
Value Translator::lambda(const Node& node) {
  define(node, "lambda");
  const auto* variable = scope().own("lambda");
  auto value = value_of(variable->type, cpp::name(variable->code));
  value.temporary = false;
  return value;
}

}  // namespace torchbook::translate
