#include <fmt/format.h>
#include <tools/import/translate/classes/autograd_functions.h>
#include <tools/import/translate/classes/classes.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/functions/functions.h>
#include <tools/import/translate/functions/parameter_types.h>
#include <tools/import/translate/rows/functions_by_hand.h>
#include <tools/import/translate/statements/comments.h>
#include <tools/import/translate/statements/narrowing.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

constexpr const char* context_class = "torch::autograd::AutogradContext";
constexpr const char* list_of_variables = "torch::autograd::variable_list";

/// Members of PyTorch's context that LibTorch's lacks or defines differently.
const std::set<std::string_view> of_context = {"apply",
                                               "apply_jvp",
                                               "dirty_tensors",
                                               "mark_dirty",
                                               "mark_non_differentiable",
                                               "mark_shared_storage",
                                               "materialize_grads",
                                               "maybe_clear_saved_tensors",
                                               "metadata",
                                               "name",
                                               "needs_input_grad",
                                               "next_functions",
                                               "non_differentiable",
                                               "register_hook",
                                               "register_prehook",
                                               "requires_grad",
                                               "save_for_backward",
                                               "save_for_forward",
                                               "saved_for_forward",
                                               "saved_tensors",
                                               "saved_variables",
                                               "set_materialize_grads",
                                               "to_save"};

/// Throws NotPorted if a method uses its context other than to read or set attributes.
void refuse_other_uses(const Node& method, const std::string& context) {
  int names = 0;
  int attributes = 0;
  method.walk([&](const Node& each) {
    names += each.is_name(context) ? 1 : 0;
    attributes += each.is(Ast::Attribute) && each.value().is_name(context) ? 1 : 0;
  });
  if (names != attributes) refuse("it uses the context {} for more than attributes", context);
}

/// Returns `forward` or `backward` of a class. Throws NotPorted if it has another form than `(ctx, x, y)`.
const Node& static_method(const std::vector<Node>& body, std::string_view name) {
  const auto found = std::find_if(body.begin(), body.end(), [&](const Node& each) {
    return each.is(Ast::FunctionDef) && each.name() == name;
  });
  if (found == body.end()) refuse("an autograd.Function has no {}", name);
  const auto decorators = found->decorator_list();
  if (decorators.size() != 1 || !decorators[0].is_name("staticmethod"))
    refuse("{} is not a @staticmethod", name);
  return *found;
}

void refuse_other_members(const std::vector<Node>& body) {
  for (const auto& each : body) {
    const bool docstring = each.is(Ast::Expr) && each.value().is(Ast::Constant);
    const bool method = each.is(Ast::FunctionDef) && (each.name() == "forward" || each.name() == "backward");
    if (!docstring && !method) refuse("an autograd.Function has members other than forward and backward");
  }
}

/// Returns a method without its context parameter, and sets `context` to the name of that.
Function without_context(const Node& node, std::string key, std::string& context) {
  auto function = function_of(node, std::move(key), /*is_method=*/false);
  auto& parameters = function.parameters;
  const bool plain = std::none_of(parameters.begin(), parameters.end(), [](const auto& each) {
    return each.default_value || each.takes_rest || each.keyword_only;
  });
  if (!plain || parameters.size() < 2) refuse("forward and backward take a context and plain arguments");
  context = parameters[0].name;
  if (context == "self") refuse("a context is named self");
  parameters.erase(parameters.begin());
  return function;
}

/// Whether LibTorch's `apply` takes arguments of the type.
bool is_given_to_apply(const Type& type) {
  const bool number =
      type.is(Kind::integer) || type.is(Kind::floating) || type.is(Kind::boolean) || type.is(Kind::string);
  return (type.is(Kind::tensor) || number) && !type.optional;
}

/// Returns the method of c10::IValue that reads an attribute of the context.
const char* reader_of(const Type& type) {
  static const std::map<Kind, const char*> readers = {{Kind::integer, "toInt"},
                                                      {Kind::floating, "toDouble"},
                                                      {Kind::boolean, "toBool"},
                                                      {Kind::string, "toStringRef"},
                                                      {Kind::tensor, "toTensor"}};
  const auto found = readers.find(type.kind());
  if (found == readers.end()) refuse("a context holds {}", in_words(type));
  return found->second;
}

/// Returns the type of a value that a context keeps. For a tensor, this says only whether it is a parameter,
/// because gradients may flow through it in backward.
Type kept(const Type& type) {
  if (!type.is(Kind::tensor) || type.is(types::Leaf::no)) return type.kind();
  return type == parameter_type() ? parameter_type() : Type(types::Tensor{.leaf = types::Leaf::either});
}

cpp::Expr saved_data(const Value& context, std::string_view name) {
  return cpp::subscript(cpp::arrow_member(context.expr, "saved_data"), cpp::string(name));
}

/// Throws NotPorted if backward() may have effects whose order is observable.
void refuse_acting_backward(const cpp::Effects& effects) {
  for (const auto& each : effects.writes) {
    if (each.place != cpp::Place::memory && each.place != cpp::Place::output)
      refuse("backward draws, raises or changes something");
  }
}

}  // namespace

/// Returns the class of torch.autograd.Function whose method is translated.
static NewClass& class_of_context(Builder& b) {
  auto* frame = b.frame;
  while (frame->of_class == nullptr) frame = frame->outer;
  return *frame->of_class;
}

void assign_to_context(Builder& b, const Value& context, const std::string& name, const Value& value) {
  auto& made = class_of_context(b);
  if (of_context.contains(name) || name.starts_with('_')) refuse("it assigns to ctx.{}", name);
  if (made.methods.at("forward").translated) refuse("backward assigns to its context");
  reader_of(value.type);  // throws for other types
  auto& known = made.members.emplace(name, kept(value.type)).first->second;
  if (known.kind() != value.type.kind()) refuse("ctx.{} holds values of different types", name);
  known = *common_type(known, kept(value.type));
  b.emit(cpp::Assign{.to = saved_data(context, name), .value = value.expr});
}

Value attribute_of_context(Builder& b, const Value& context, std::string_view name) {
  const auto& made = class_of_context(b);
  if (name == "saved_tensors" && made.methods.at("forward").translated) {
    if (!made.saved) refuse("forward saves no tensors");
    return value_of(tuple_of_any_size(*made.saved), cpp::arrow_method(context.expr, "get_saved_variables"));
  }
  const auto member = made.members.find(name);
  if (member == made.members.end()) refuse("ctx.{} is not translated", name);
  auto value = value_of(member->second, cpp::method(saved_data(context, name), reader_of(member->second)));
  value.temporary = !value.is(Kind::tensor);
  return value;
}

Value method_of_context(Builder& b, const Value& context, std::string_view name, const Arguments& arguments) {
  auto& made = class_of_context(b);
  const bool forward = !made.methods.at("forward").translated;
  if (name != "save_for_backward" || !forward || !arguments.named.empty())
    refuse("ctx.{}() is not translated", name);
  std::vector<cpp::Expr> saved;
  for (const auto& each : arguments.positional) {
    if (!each.is(Kind::tensor)) refuse("save_for_backward takes {}", in_words(each.type));
    made.saved = *common_type(made.saved.value_or(kept(each.type)), kept(each.type));
    saved.push_back(each.expr);
  }
  const auto call = cpp::arrow_method(context.expr, "save_for_backward", {cpp::braces(std::move(saved))});
  return value_of(Kind::none, call.with(cpp::writes(cpp::Place::field, context_class)));
}

void return_to_autograd(Builder& b, const Node& node) {
  auto& made = *b.frame->of_class;
  const bool backward = made.methods.at("forward").translated;
  auto value = expression(b, node);
  const bool several = value.is(Kind::tuple) && value.literal && !value.elements.empty();
  if (!several) value = {.type = value.type, .expr = {}, .elements = {value}};
  for (auto& each : value.elements) {
    if (backward && each.is(Kind::none) && !each.acts())
      each.expr = cpp::call("Tensor", {});
    else if (!each.is(Kind::tensor))
      refuse("{} returns {}", backward ? "backward" : "forward", in_words(each.type));
  }
  const auto count = value.elements.size();
  if (backward && count != made.methods.at("forward").parameters.size())
    refuse("backward returns {} gradients, and forward takes {} arguments", count,
           made.methods.at("forward").parameters.size());
  const auto type = backward || several ? tuple_of_any_size(Type(Kind::tensor)) : Type(Kind::tensor);
  const bool other = b.frame->result && (*b.frame->result != type || (!backward && made.outputs != count));
  if (other) refuse("a function returns different types");
  b.frame->result = type;
  if (!backward) made.outputs = count;
  auto list = in_braces(value.elements);
  if (several) list = cpp::after_statements_of(value.expr, std::move(list));
  const bool one = !backward && !several;
  b.emit(cpp::Return{one ? value.elements[0].expr : list});
}

/// Translates `forward` or `backward`. The gradients that backward takes are elements of one list in C++.
static void method_of_autograd(Builder& b, NewClass& made, const Node& node, const std::string& context) {
  const bool backward = node.name() == "backward";
  auto& function = made.methods.at(backward ? "backward" : "forward");
  const auto types = backward ? std::vector<Type>(function.parameters.size(), Type(Kind::tensor))
                              : parameter_types(b, node, function);
  if (!std::all_of(types.begin(), types.end(), is_given_to_apply))
    refuse("apply() takes something other than tensors, numbers and strs");
  refuse_other_uses(node, context);
  Frame frame{.scope = Scope(&b.notebook.scope), .outer = &b.notebook};
  frame.of_class = &made;
  b.frame = &frame;
  auto& variable = b.scope().declare(context, named_type(Kind::context, context_class));
  const cpp::Parameter given{.type = fmt::format("{}*", context_class), .name = variable.code};
  auto list = parameter_list(b, function, node, types);
  const auto gradients = backward ? b.scope().fresh("gradients") : std::string();
  auto body = b.captured([&] {
    for (std::size_t i = 0; backward && i < list.size(); ++i) {
      if (!is_read(b.frame->uses, function.parameters[i].name)) continue;
      b.emit(cpp::Declare{.type = list[i].type,
                          .name = list[i].name,
                          .value = cpp::subscript(cpp::name(gradients), cpp::number(i))});
    }
    block_statements(b, node.body());
  });
  end_function(b, node, function, body);
  if (function.result.is(Kind::none)) refuse("{} returns nothing", node.name());
  if (backward) list = {{.type = fmt::format("const {}&", list_of_variables), .name = gradients}};
  list.insert(list.begin(), given);
  const auto result = backward || !function.result.is(Kind::tensor) ? list_of_variables : "Tensor";
  b.emit(cpp::Method{.head = fmt::format("static {} {}", result, node.name()),
                     .parameters = std::move(list),
                     .body = std::move(body)});
}

/// Emits both methods of a class, and completes the effects of its `apply`.
static void body_of_autograd(Builder& b, NewClass& made, const Node& node, Function& apply) {
  const auto body = node.body();
  std::string context;
  const auto& forward = static_method(body, "forward");
  const auto& backward = static_method(body, "backward");
  made.methods["forward"] = without_context(forward, apply.key, context);
  note_observed(b, forward, made.methods["forward"]);
  method_of_autograd(b, made, forward, context);
  made.methods["backward"] = without_context(backward, made.key + ":backward", context);
  b.emit(cpp::Plain{});
  method_of_autograd(b, made, backward, context);
  const auto& translated = made.methods.at("backward");
  if (translated.parameters.size() != made.outputs)
    refuse("backward takes {} gradients, and forward returns {} tensors", translated.parameters.size(),
           made.outputs);
  if (translated.raises) refuse("backward raises");
  refuse_acting_backward(translated.effects);
  const auto parameters = apply.parameters;
  apply = made.methods.at("forward");
  apply.parameters = parameters;
  apply.is_static = true;
  apply.is_template = true;
  std::erase_if(apply.effects.writes, [](const cpp::Effect& each) {  // those of a new context
    return (each.place == cpp::Place::contents && each.name.starts_with('.')) ||
           (each.place == cpp::Place::field && each.name == context_class);
  });
}

void define_autograd_function(Builder& b, const Node& node) {
  if (!b.frame->is_notebook) refuse("a class is defined inside of a function");
  const auto name = std::string(node.name());
  const auto definition = b.key(node, name);
  auto& variable = b.scope().declare(name, named_type(Kind::new_class, definition));
  auto& made = b.defined.classes[definition] = {
      .is_module = false, .is_autograd = true, .key = definition, .code = variable.code};
  made.nodes.push_back(node);
  made.methods["__init__"] = {.key = definition + ":__init__"};
  if (made.code != name) refuse("C++ uses the name {}, which a grad_fn would show, for something else", name);
  const auto body = node.body();
  refuse_other_members(body);
  std::string context;
  auto& apply = b.defined.functions[definition + ":apply"] =
      without_context(static_method(body, "forward"), definition + ":apply", context);
  for (auto& each : apply.parameters) each.name.clear();  // apply() takes no names
  apply.is_template = true;
  auto methods = b.captured([&] { body_of_autograd(b, made, node, apply); });
  declare_notebook_pointer(b, methods);
  b.emit(cpp::Struct{.head = fmt::format("struct {0} : torch::autograd::Function<{0}>", made.code),
                     .body = std::move(methods)});
}

void refuse_template(Builder& b, const Type& type) {
  const auto found =
      type.is(Kind::function) ? b.defined.functions.find(type.name()) : b.defined.functions.end();
  if (found != b.defined.functions.end() && found->second.is_template)
    refuse("apply of a class is passed, returned or chosen");
}

Value apply_of(const NewClass& made) {
  auto value = value_of(named_type(Kind::function, made.key + ":apply"), cpp::name(made.code + "::apply"));
  value.temporary = false;
  return value;
}

}  // namespace torchbook::translate
