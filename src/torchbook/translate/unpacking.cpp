// Translates the assignment of the parts of a value to several names.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

namespace torchbook::translate {

void Translator::unpack(const std::vector<Node>& targets, const Value& value) {
  const auto part = [&](std::size_t i) -> Value {
    if (!value.elements.empty()) return value.elements[i];
    return size_of(value, std::to_string(i));
  };
  if (!value.elements.empty() && value.elements.size() != targets.size()) {
    throw NotPorted("it unpacks more or fewer values than there are names");
  }
  if (value.is(Kind::size) && value.acts)
    throw NotPorted("it unpacks the shape of what draws or changes something");
  if (!value.elements.empty() || value.is(Kind::size)) {
    for (std::size_t i = 0; i < targets.size(); ++i) assign_to(targets[i], targets[i], part(i));
    return;
  }
  const bool list = value.is(Kind::list) && !value.type.items.empty() && value.type.name.empty();
  if (value.is(Kind::tensor) || list) {
    auto rows = rows_of(value);
    if (rows.temporary) rows = hold(rows, "rows");
    for (std::size_t i = 0; i < targets.size(); ++i) {
      assign_to(targets[i], targets[i], value_of(rows.type.items[0], fmt::format("{}[{}]", rows.code, i)));
    }
    return;
  }
  if (!value.is(Kind::tuple) || value.type.items.size() != targets.size()) {
    throw NotPorted(fmt::format("it unpacks {}", in_words(value.type)));
  }
  need("#include <tuple>");
  const auto parts = value.temporary ? hold(value, "parts") : value;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    assign_to(targets[i], targets[i],
              value_of(value.type.items[i], fmt::format("std::get<{}>({})", i, parts.code)));
  }
}

}  // namespace torchbook::translate
