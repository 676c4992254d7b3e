// Finds the types of a function's parameters: from Python's run, and from the calls in the C++.
#include <tools/import/translate/lower/translator.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace torchbook::translate {
/// Returns the type that an annotation names: `torch.Tensor`, `list[int]`, `Dict[str, int]`; nullopt for
/// others.
std::optional<Type> Translator::annotated_type(const Node& annotation) const {
  static const std::map<std::string_view, Type> types = {
      {"torch.Tensor", Kind::tensor}, {"int", Kind::integer},
      {"float", Kind::floating},      {"bool", Kind::boolean},
      {"str", Kind::string},          {"pathlib.Path", object_type("torchbook::Path")}};
  const auto name_of = [&](const Node& node) {
    return path_of(node).value_or(node.is("Name") ? std::string(node.text("id")) : "");
  };
  if (!annotation.is("Subscript")) {
    const auto found = types.find(name_of(annotation));
    return found == types.end() ? std::nullopt : std::optional(found->second);
  }
  const auto container = name_of(annotation.child("value"));
  const auto inner = annotation.child("slice");
  if (container == "list" || container == "typing.List") {
    const auto item = annotated_type(inner);
    return item ? std::optional(list_of(*item)) : std::nullopt;
  }
  const bool dict = (container == "dict" || container == "typing.Dict") && inner.is("Tuple");
  if (!dict || inner.list("elts").size() != 2) return std::nullopt;
  const auto key = annotated_type(inner.list("elts")[0]);
  const auto value = annotated_type(inner.list("elts")[1]);
  const bool plain = key && (key->is(Kind::string) || key->is(Kind::integer));
  return plain && value ? std::optional(dict_type(*key, *value)) : std::nullopt;
}

/// Returns what Python's run shows about the cell; nullptr if nothing is known.
const Observed* Translator::observed() const {
  const auto& cell = cells_.at(cell_ - 1);
  return cell.is_recorded ? &cell.observed : nullptr;
}

/// Returns how Python called a function of the cell; nullptr if it did not, or if that is not known.
const CalledFunction* Translator::called(const Node& function) const {
  const auto* const all = observed();
  if (all == nullptr) return nullptr;
  const auto found = all->functions.find({function.line(), function.column()});
  return found == all->functions.end() ? nullptr : &found->second;
}

/// Tells the facts with which types Python called a function.
void Translator::note_observed(const Node& node, const Function& function) {
  const auto* const seen = called(node);
  if (seen == nullptr) return;
  std::vector<std::optional<Type>> types;
  for (const auto& parameter : function.parameters) {
    const auto found = seen->parameters.find(parameter.name);
    const bool known = found != seen->parameters.end() && found->second && !is_empty(*found->second);
    types.push_back(known && !parameter.takes_rest ? found->second : std::nullopt);
  }
  facts_->observe(function.key, types);
}

/// Returns the types of a function's parameters: those of its calls, or else those that its annotations and
/// default values have; tensors otherwise.
std::vector<Type> Translator::parameter_types(const Node& node, const Function& function) {
  if (const auto* known = facts_->parameters(function.key)) {
    auto types = *known;
    for (auto& type : types) {
      if (type.is(Kind::none)) type = Kind::tensor;
    }
    return types;
  }
  if (function.key.ends_with(":__getitem__") && function.parameters.size() == 1) return {Type(Kind::integer)};
  std::map<std::string_view, Type> annotated;
  for (const auto& each : node.child("args").list("args")) {
    if (!each.has("annotation")) continue;
    if (const auto type = annotated_type(each.child("annotation")))
      annotated.emplace(each.text("arg"), *type);
  }
  std::vector<Type> types;
  for (const auto& parameter : function.parameters) {
    const auto found = annotated.find(parameter.name);
    const auto otherwise = parameter.otherwise ? expression(*parameter.otherwise).type : Type{};
    const auto given = found == annotated.end() ? Type(Kind::tensor) : found->second;
    types.push_back(otherwise.is(Kind::none) ? given : otherwise);
  }
  return types;
}

/// Whether the types of a function's parameters are known. If they are not, a call shows them.
bool Translator::knows_parameters(const Function& function, bool never_called) const {
  return facts_->parameters(function.key) != nullptr || function.parameters.empty() || never_called ||
         function.key.ends_with(":__getitem__") || !facts_->learning;
}

/// Translates a definition. The first walk ignores a failure: a call will show more.
void Translator::if_learned(const std::function<void()>& definition) {
  const auto before = std::tuple(statements_, tries_, frame_);
  try {
    definition();
  } catch (const NotPorted&) {
    if (!facts_->learning) throw;
    std::tie(statements_, tries_, frame_) = before;
  }
}

/// Lets the first walk translate the body of a function when it is called.
void Translator::learn_later(const std::string& key, std::function<void()> write) {
  if (!facts_->learning) return;
  bodies_[key] = {.cell = cell_, .first_line = first_line_, .frame = frame_, .write = std::move(write)};
}

/// Notes the types of a call's arguments. In the first walk, translates the body of the function if it is new
/// or gets other types.
void Translator::learn_call(const Function& function, const std::vector<Type>& types) {
  const bool told = facts_->call(function.key, types, runs_);
  if (told || !function.translated) learn_body(function.key);
}

void Translator::learn_body(const std::string& key) {
  const auto found = bodies_.find(key);
  if (!facts_->learning || found == bodies_.end()) return;
  const auto body = found->second;
  const Frame* open = frame_;
  while (open != nullptr && open != body.frame) open = open->outer;
  if (open == nullptr) return;  // the function around it has ended
  bodies_.erase(found);         // it may call itself
  const auto before = std::tuple(statements_, tries_, frame_, cell_, first_line_, runs_);
  const auto comments = std::exchange(comments_, {});
  const auto restore = [&] {
    std::tie(statements_, tries_, frame_, cell_, first_line_, runs_) = before;
    comments_ = comments;
    bodies_.insert_or_assign(key, body);
  };
  std::tie(cell_, first_line_, frame_) = std::tuple(body.cell, body.first_line, body.frame);
  cpp::Stmts dropped;
  statements_ = &dropped;
  try {
    body.write();
  } catch (...) {
    restore();
    throw;
  }
  restore();
}

/// Whether Python's run shows that nothing called a function. Of a constructor that tree.py has made, which
/// has one place in all parts, nothing is known.
bool Translator::never_called(const Node& function) const {
  const auto given = function.child("args").list("args");
  const bool made =
      !given.empty() && given[0].line() == function.line() && given[0].column() == function.column();
  return !made && observed() != nullptr && called(function) == nullptr;
}

}  // namespace torchbook::translate
