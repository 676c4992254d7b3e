#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/seen_types.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/functions/functions.h>
#include <tools/import/translate/functions/parameter_types.h>

#include <algorithm>

namespace torchbook::translate {

/// Returns the type that an annotation names: `torch.Tensor`, `list[int]`, `Dict[str, int]`; nullopt for
/// others.
static std::optional<Type> annotated_type(Builder& b, const Node& annotation) {
  static const std::map<std::string_view, Type> types = {
      {"torch.Tensor", Kind::tensor}, {"int", Kind::integer},
      {"float", Kind::floating},      {"bool", Kind::boolean},
      {"str", Kind::string},          {"pathlib.Path", named_type(Kind::path, "torchbook::Path")}};
  const auto name_of = [&](const Node& node) {
    return b.path_of(node).value_or(node.is(Ast::Name) ? std::string(node.id()) : "");
  };
  if (!annotation.is(Ast::Subscript)) {
    const auto found = types.find(name_of(annotation));
    return found == types.end() ? std::nullopt : std::optional(found->second);
  }
  const auto container = name_of(annotation.value());
  const auto inner = annotation.slice();
  if (container == "list" || container == "typing.List") {
    const auto item = annotated_type(b, inner);
    return item ? std::optional(list_of(*item)) : std::nullopt;
  }
  const bool dict = (container == "dict" || container == "typing.Dict") && inner.is(Ast::Tuple);
  if (!dict || inner.elts().size() != 2) return std::nullopt;
  const auto key = annotated_type(b, inner.elts()[0]);
  const auto value = annotated_type(b, inner.elts()[1]);
  const bool plain = key && (key->is(Kind::string) || key->is(Kind::integer));
  return plain && value ? std::optional(dict_type(*key, *value)) : std::nullopt;
}

/// Returns the type of an argument of a constructor that is a function of the notebook: C++ holds it if it
/// takes a tensor and returns one. nullopt if it does not.
static std::optional<Type> function_held(Builder& b, const Type& function) {
  if (is_function_of_torch(function)) return function;
  std::size_t cell = 0;
  const auto* const called = called_with_key(b, function.name(), cell);
  if (called == nullptr || called->types.size() != 2) return std::nullopt;  // its parameter and its result
  for (const auto& [name, types] : called->types) {
    const auto type = common_of(b, types);
    if (!type || !type->is(Kind::tensor)) return std::nullopt;
  }
  define_function_of_tensors(b, tensor_function, {"x"});
  return named_type(Kind::function, tensor_function);
}

void note_observed(Builder& b, const Node& node, const Function& function) {
  const auto* const seen = b.called(node);
  if (seen == nullptr) return;
  if (!seen->large.empty()) refuse("{} holds an int of more than 64 bits", seen->large);
  std::vector<SeenType> types;
  for (const auto& parameter : function.parameters) {
    auto type =
        common_of(b, seen->types, parameter.name, /*first=*/true);  // a call with another one is refused
    if (type && is_empty(*type)) type = common_of(b, seen->locals, parameter.name);
    if (type && type->is(Kind::function) && is_constructor(node)) type = function_held(b, *type);
    if (type && parameter.takes_rest && is_list_like(*type)) type = tuple_of_any_size(type->items[0]);
    const bool several = type && type->is(Kind::function) && type->optional;
    types.push_back(several ? std::nullopt : type);
  }
  const auto [known, added] = b.defined.parameters.emplace(function.key, types);
  auto& before = known->second;
  for (std::size_t i = 0; !added && i < std::min(before.size(), types.size()); ++i)
    before[i] = before[i] && types[i] ? common_argument(*before[i], *types[i]) : std::nullopt;
}

std::vector<Type> parameter_types(Builder& b, const Node& node, const Function& function) {
  const auto seen = b.defined.parameters.find(function.key);
  const bool known = seen != b.defined.parameters.end();
  if (!known && function.key.ends_with(":__getitem__") && function.parameters.size() == 1)
    return {Type(Kind::integer)};
  std::map<std::string_view, Type> annotated;
  for (const auto& each : node.parameters().args()) {
    if (!each.has_annotation()) continue;
    if (const auto type = annotated_type(b, each.annotation())) annotated.emplace(each.arg(), *type);
  }
  std::vector<Type> types;
  for (const auto& parameter : function.parameters) {
    const auto i = types.size();
    if (known && i < seen->second.size() && seen->second[i]) {
      types.push_back(seen->second[i]->is(Kind::none) ? Type(Kind::tensor) : *seen->second[i]);
      continue;
    }
    const auto found = annotated.find(parameter.name);
    const auto default_type = parameter.default_value ? expression(b, *parameter.default_value).type : Type{};
    const auto given = found == annotated.end() ? Type(Kind::tensor) : found->second;
    const bool guessed = found == annotated.end() && default_type.is(Kind::none);
    if (guessed && known)
      refuse("{} gets values of several types, or of one that is not translated", parameter.name);
    types.push_back(default_type.is(Kind::none) ? given : default_type);
  }
  return types;
}

bool never_called(Builder& b, const Node& function) {
  const auto given = function.parameters().args();
  const bool made =
      !given.empty() && given[0].line() == function.line() && given[0].column() == function.column();
  return !made && b.observed() != nullptr && b.called(function) == nullptr;
}

}  // namespace torchbook::translate
