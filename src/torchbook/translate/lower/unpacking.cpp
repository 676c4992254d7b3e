// Translates the assignment of the parts of a value to several names.
#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace torchbook::translate {

namespace {

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
                value_of(rows.type, cpp::call("python::slice", parts)).sharing({value}));
      continue;
    }
    const auto at =
        behind ? cpp::binary(cpp::method(rows.expr, "size"), "-", cpp::number(from_end + 1)) : cpp::number(i);
    assign_to(targets[i], targets[i],
              value_of(rows.type.items[0], cpp::method(rows.expr, "at", {at})).sharing({value}));
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
      assign_to(targets[i], targets[i], value_of(rows.type.items[0], item).sharing({value}));
    }
    return;
  }
  if (!value.is(Kind::tuple) || value.type.items.size() != targets.size()) {
    throw NotPorted("it unpacks {}", in_words(value.type));
  }
  const auto parts = value.temporary ? hold(value, "parts") : value;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    assign_to(targets[i], targets[i], parts_of(parts).at(i));
  }
}

}  // namespace torchbook::translate
