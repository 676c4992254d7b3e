#include <fmt/format.h>
#include <tools/import/translate/classes/autograd_functions.h>
#include <tools/import/translate/classes/classes.h>
#include <tools/import/translate/classes/common_bases.h>
#include <tools/import/translate/classes/members.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/core/seen_types.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/cpp/print.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/rows/layers.h>

namespace torchbook::translate {
namespace {

/// Members of torch::nn::Module, whose names a class must not use for its own.
const std::set<std::string_view> own_members = {
    "apply",       "buffers",          "children", "clone", "eval",        "modules",
    "name",        "parameters",       "to",       "train", "zero_grad",   "forward",
    "is_training", "named_parameters", "save",     "load",  "pretty_print"};

}  // namespace

bool is_member_of_module(std::string_view name) { return own_members.contains(name); }

cpp::Expr member_of_self(Builder& b, std::string_view name) {
  const auto& code = b.frame->of_class->codes.find(name)->second;
  const bool hidden = b.frame->scope.uses_code(code) || b.frame->uses.assignments.contains(code);
  auto expr = hidden ? cpp::arrow_member(cpp::name(cpp::form::self), code) : cpp::name(code);
  return as_member(b, std::move(expr), b.frame->of_class->members.find(name)->second, std::string(name));
}

cpp::Expr as_member(Builder& b, cpp::Expr expr, const Type& type, const std::string& name) {
  auto member = type.is(Kind::module) ? std::move(expr) : expr.with(cpp::reads(cpp::Place::field, name));
  return b.is_recorded(type) ? member.recorded() : member;
}

/// `model.weight = nn.Parameter(x)`
static void replace_parameter(Builder& b, const Value& module, const std::string& code,
                              const std::string& name, const Value& value) {
  b.emit(cpp::Assign{.to = cpp::arrow_member(module.expr, code),
                     .value = cpp::call("torchbook::nn::replace_parameter",
                                        {module_itself(module), cpp::string(name), value.expr})
                                  .in_order({2, 0, 1})});
}

static void assign_tensor_attribute(Builder& b, const Value& tensor, const std::string& name,
                                    const Value& value) {
  if (tensor.is(Kind::tensor) && name == "requires_grad" && value.is(Kind::boolean)) {
    b.traits.attaches = true;
    return b.emit(
        cpp::Evaluate{cpp::method(tensor.expr, "set_requires_grad", {value.expr}).in_order({1, 0})});
  }
  if (tensor.is(Kind::tensor) && name == "grad" && value.is(Kind::none)) {
    return b.emit(
        cpp::Assign{.to = cpp::method(tensor.expr, "mutable_grad"), .value = cpp::call("Tensor", {})});
  }
  const bool weight = tensor.is(Kind::module) && layer_member(tensor.expr, tensor.type, name);
  if (weight && value.type == parameter_type() && value.temporary) {
    return replace_parameter(b, tensor, name, name, value);
  }
  if (tensor.is(Kind::tensor) && name == "data" && value.is(Kind::tensor)) {
    return b.emit(cpp::Evaluate{cpp::method(tensor.expr, "set_data", {value.expr}).in_order({1, 0})});
  }
  refuse("it assigns to the attribute {}", name);
}

/// Returns the type that an attribute has in Python's run, if its first value is None, a number or empty.
static Type seen_attribute(Builder& b, const NewClass& made, const std::string& name, const Type& first) {
  if (!first.is(Kind::none) && !is_open(first) && !first.is_number() && !is_module_list(first)) return first;
  std::optional<Type> seen = first;
  for (const auto& node : made.nodes) {
    for (const auto& each : node.body()) {
      const auto* called = each.is(Ast::FunctionDef) ? b.called(each) : nullptr;
      const auto type = called == nullptr ? std::nullopt : common_of(b, called->attributes, name);
      if (seen && type)
        seen = is_module_list(*seen) ? common_container(*seen, *type)
                                     : common_argument(*seen, without_numbers(*type));
    }
  }
  if (seen && seen->is(Kind::module)) return without_none(*seen);  // which is empty for None
  return seen.value_or(first);
}

std::string member_code(const NewClass& made, const std::string& name) {
  const bool taken =
      is_member_of_module(name) || name == made.code || (!made.is_module && name == "size");  // its __len__
  return taken || !is_plain_name(name) ? name + "_" : name;
}

static void add_member(Builder& b, const std::string& name, const Type& type) {
  auto& made = *b.frame->of_class;
  const auto* const base = base_of(b, made);
  const bool part = type.is(Kind::module) || type == parameter_type();
  if (b.frame->is_constructor && part && base != nullptr && base->members.contains(name))
    refuse("its base class has a part {}, too", name);
  if (!made.members.contains(name)) {
    if (!b.frame->is_constructor && part) refuse("a method other than __init__ makes a part of a module");
    made.members[name] = without_numbers(seen_attribute(b, made, name, type));
    made.codes[name] = member_code(made, name);
    made.order.push_back(name);
    if (type.is(Kind::none) && made.members[name].is(Kind::module)) made.empty_parts.insert(name);
  } else if (const auto& known = made.members[name];
             !(known == type) &&
             !(type.is(Kind::none) &&
               (known.is(Kind::tensor) || is_function_of_torch(known) || known.optional)) &&
             !(known.is(Kind::scalar) && type.is_number()) && !(type.is(Kind::list) && type.items.empty())) {
    refuse("self.{} holds values of different types", name);
  }
}

Value register_member(Builder& b, std::string_view function, const Arguments& arguments) {
  const auto [name, what, saved] = match(
      function, arguments, {{"name", {Kind::string}}, {"tensor", {Kind::tensor}}, {"persistent", {}, true}});
  if (function != "register_buffer" || !name->literal)
    refuse("{} is called in a form that is not translated", function);
  b.state.has_unsaved = b.state.has_unsaved || (saved != nullptr && !cpp::is_written(saved->expr, true));
  const auto& member = name->expr.text();
  add_member(b, member, Type(Kind::tensor));
  const auto registered = cpp::call(function, {name->expr, what->expr});
  return value_of(Kind::none, cpp::binary(member_of_self(b, member), "=", registered));
}

/// `config.rate = 0.1`
static void assign_attribute_of(Builder& b, const Value& object, const std::string& name,
                                const Value& value) {
  if (object.is(Kind::context)) return assign_to_context(b, object, name, value);
  const auto* made = b.class_of(object.type);
  const auto member = made == nullptr ? decltype(made->members.end()){} : made->members.find(name);
  if (made == nullptr || member == made->members.end())
    return assign_tensor_attribute(b, object, name, value);
  if (made->is_module && member->second == parameter_type() && value.type == parameter_type() &&
      value.temporary)
    return replace_parameter(b, object, made->codes.at(name), name, value);
  const bool plain = value.type.is_number() || value.is(Kind::string) || value.type.is(types::Leaf::no);
  if (!plain || !assignable(member->second, value.type) || (!made->is_shared && !made->is_module))
    refuse("it assigns {} to the attribute {}", in_words(value.type), name);
  b.emit(assignment(member_of(b, object, name), value));
}

void assign_attribute(Builder& b, const Node& target, const Value& value) {
  const auto of = target.value();
  const auto name = std::string(target.attr());
  const bool own = is_self(of) && b.frame->of_class != nullptr;
  if (!own) return assign_attribute_of(b, expression(b, of), name, value);
  const auto& type = value.type;
  const bool is_module = b.frame->of_class->is_module;
  const bool is_parameter = type == parameter_type();
  if (is_parameter && is_module && !value.temporary) refuse("a parameter gets a second name");
  if (type.is(Kind::tensor) && type.is(types::Leaf::either)) refuse("whether it is a parameter is not known");
  add_member(b, name, type);
  const auto to = member_of_self(b, name);
  if (value.is(Kind::module) && is_module) {
    if (!b.frame->is_constructor || is_module_pointer(type)) refuse("a module is replaced");
    note_holder(b, value);
    note_holder(b, {.type = type, .expr = to, .temporary = false});
    return b.emit(
        cpp::Assign{.to = to, .value = cpp::call("register_module", {cpp::string(name), value.expr})});
  }
  if (is_parameter && is_module) {
    const bool trains = value.expr.is(cpp::form::requires_grad_in_place) && value.expr.parts().size() == 1;
    std::vector<cpp::Expr> parts = {cpp::string(name), trains ? value.expr.part(0) : value.expr};
    if (!trains) parts.push_back(cpp::labelled("requires_grad", cpp::boolean(false)));
    return b.emit(cpp::Assign{.to = to, .value = cpp::call("register_parameter", std::move(parts))});
  }
  if (value.is(Kind::list) && !value.type.items.empty() && value.type.items[0].is(Kind::module)) {
    refuse("a list of modules is not an nn.ModuleList");
  }
  if (b.frame->of_class->empty_parts.contains(name) && value.is(Kind::none)) return;  // it is declared empty
  if (value.is(Kind::none) && !value.acts())
    return b.emit(cpp::Assign{.to = to, .value = none_of(b.frame->of_class->members.at(name))});
  if (value.literal && !value.elements.empty())
    return b.emit(cpp::Assign{.to = to, .value = printable(value)});
  b.emit(assignment(to, value));
}

std::string first_name_of(Builder& b, const cpp::Expr& module) {
  const auto* variable = module.is(cpp::Kind::name) ? b.scope().with_code(module.text()) : nullptr;
  return variable != nullptr && !variable->same.empty() ? variable->same : cpp::printed(module);
}

void note_holder(Builder& b, const Value& module) {
  if (module.temporary) return;
  const auto* const of = b.frame->of_class;
  if (!b.state.held.insert(fmt::format("{}:{}", of == nullptr ? "" : of->key, first_name_of(b, module.expr)))
           .second) {
    refuse("a module is part of two others, or twice of one");
  }
}

bool has_member(Builder& b, const Value& module, std::string_view name) {
  const auto* made = b.class_of(module.type);
  return made != nullptr && made->members.contains(name);
}

bool is_of_class_below(Builder& b, const Type& type) {
  const auto* made = b.class_of(type);
  if (made == nullptr) return false;
  return made->is_common_base ? !b.state.declared_bases.contains(made->code)
                              : !b.defined.classes.contains(made->key);
}

cpp::Expr member_of(Builder& b, const Value& object, const std::string& name) {
  const auto* made = b.class_of(object.type);
  const auto& code = made->codes.at(name);
  auto expr = made->is_module   ? member_of_module(object, code)
              : made->is_shared ? cpp::arrow_member(object.expr, code)
                                : cpp::member(object.expr, code);
  return as_member(b, std::move(expr), made->members.find(name)->second, name);
}

cpp::Expr method_of(Builder& b, const Value& object, const std::string& name,
                    std::vector<cpp::Expr> arguments) {
  const auto* made = b.class_of(object.type);
  return made != nullptr && made->is_shared ? cpp::arrow_method(object.expr, name, std::move(arguments))
                                            : cpp::method(object.expr, name, std::move(arguments));
}

}  // namespace torchbook::translate
