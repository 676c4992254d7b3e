// Finds the types of a function's parameters: from Python's run, and from the calls in the C++.
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/functions/functions.h>
#include <tools/import/translate/functions/parameter_types.h>

#include <algorithm>
#include <tuple>
#include <utility>

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

/// Returns what Python's run shows about the cell; nullptr if nothing is known.
const Observed* Builder::observed() const {
  const auto& cell = this->cells.at(here.cell - 1);
  return cell.is_recorded ? &cell.observed : nullptr;
}

/// Returns how Python called a function of the cell; nullptr if it did not, or if that is not known.
const CalledFunction* Builder::called(const Node& function) const {
  const auto* const all = observed();
  if (all == nullptr) return nullptr;
  const auto found = all->functions.find({function.line(), function.column()});
  return found == all->functions.end() ? nullptr : &found->second;
}

void note_observed(Builder& b, const Node& node, Function& function) {
  const auto* const seen = b.called(node);
  if (seen == nullptr) return;
  function.seen = seen->result;
  std::vector<std::optional<Type>> types;
  for (const auto& parameter : function.parameters) {
    const auto found = seen->parameters.find(parameter.name);
    const bool known = found != seen->parameters.end() && found->second && !is_empty(*found->second);
    types.push_back(known && !parameter.takes_rest ? found->second : std::nullopt);
  }
  b.facts->observe(function.key, types);
}

std::vector<Type> parameter_types(Builder& b, const Node& node, const Function& function) {
  if (const auto* known = b.facts->parameters(function.key)) {
    auto types = *known;
    for (auto& type : types) {
      if (type.is(Kind::none)) type = Kind::tensor;
    }
    return types;
  }
  if (function.key.ends_with(":__getitem__") && function.parameters.size() == 1) return {Type(Kind::integer)};
  std::map<std::string_view, Type> annotated;
  for (const auto& each : node.parameters().args()) {
    if (!each.has_annotation()) continue;
    if (const auto type = annotated_type(b, each.annotation())) annotated.emplace(each.arg(), *type);
  }
  std::vector<Type> types;
  for (const auto& parameter : function.parameters) {
    const auto found = annotated.find(parameter.name);
    const auto otherwise = parameter.otherwise ? expression(b, *parameter.otherwise).type : Type{};
    const auto given = found == annotated.end() ? Type(Kind::tensor) : found->second;
    types.push_back(otherwise.is(Kind::none) ? given : otherwise);
  }
  return types;
}

bool knows_parameters(Builder& b, const Function& function, bool never_called) {
  return b.facts->parameters(function.key) != nullptr || function.parameters.empty() || never_called ||
         function.key.ends_with(":__getitem__") || !b.facts->learning;
}

void if_learned(Builder& b, const std::function<void()>& definition) {
  if (!b.facts->learning) return definition();
  const Attempt attempt(b);
  try {
    definition();
  } catch (const NotPorted&) {
    attempt.drop();
  }
}

/// Lets the first walk translate the body of a function when it is called.
void Builder::learn_later(const std::string& key, std::function<void()> write) {
  if (!this->facts->learning) return;
  defined.bodies[key] = {
      .cell = here.cell, .first_line = here.first_line, .frame = this->frame, .write = std::move(write)};
}

/// Notes the types of a call's arguments. In the first walk, translates the body of the function if it is new
/// or gets other types.
void Builder::learn_call(const Function& function, const std::vector<Type>& types) {
  const bool told = this->facts->call(function.key, types, here.runs);
  if (told || !function.translated) learn_body(function.key);
}

void Builder::learn_body(const std::string& key) {
  const auto found = defined.bodies.find(key);
  if (!this->facts->learning || found == defined.bodies.end()) return;
  const auto body = found->second;
  const Frame* open = this->frame;
  while (open != nullptr && open != body.frame) open = open->outer;
  if (open == nullptr) return;  // the function around it has ended
  const auto before = std::tuple(this->statements, this->frame, here);
  here = {.cell = body.cell, .first_line = body.first_line};
  this->frame = body.frame;
  cpp::Stmts dropped;
  this->statements = &dropped;
  defined.bodies.erase(found);  // it may call itself
  try {
    body.write();
  } catch (const NotPorted&) {  // who catches it drops all else
    defined.bodies.emplace(key, body);
    throw;
  }
  defined.bodies.emplace(key, body);
  std::tie(this->statements, this->frame, here) = before;
}

bool never_called(Builder& b, const Node& function) {
  const auto given = function.parameters().args();
  const bool made =
      !given.empty() && given[0].line() == function.line() && given[0].column() == function.column();
  return !made && b.observed() != nullptr && b.called(function) == nullptr;
}

}  // namespace torchbook::translate
