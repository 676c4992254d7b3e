// Translates what a loop and a comprehension go through, and the names that they give to it.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/translate/translator.h>

#include <algorithm>

namespace torchbook::translate {

/// Declares the names of a target. Returns what C++ declares: a name, or names in brackets. A tuple within a
/// tuple is taken apart where the body begins.
std::string Translator::targets_of_loop(const Node& target, const Type& item, bool of_comprehension) {
  if (!target.is("Tuple")) return loop_name(target, item, of_comprehension);
  const auto targets = target.list("elts");
  if (!item.is(Kind::tuple) || item.items.size() != targets.size() || !item.name.empty())
    throw NotPorted(fmt::format("a loop takes {} apart", in_words(item)));
  std::vector<std::string> names;
  std::vector<std::string> inner;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!targets[i].is("Tuple")) {
      names.push_back(loop_name(targets[i], item.items[i], of_comprehension));
      continue;
    }
    names.push_back(scope().fresh("parts"));
    inner.push_back(fmt::format("const auto& {} = {};",
                                targets_of_loop(targets[i], item.items[i], of_comprehension), names.back()));
  }
  loop_first_.insert(loop_first_.begin(), inner.begin(), inner.end());
  return fmt::format("[{}]", fmt::join(names, ", "));
}

/// Returns the head of a loop over a value, and declares its names.
std::string Translator::loop_over(const Node& target, const Value& over, bool of_comprehension) {
  constexpr std::string_view items = ".items()";
  auto rows = rows_of(over);
  const auto& item = rows.type.items[0];
  const auto names = targets_of_loop(target, item, of_comprehension);
  if (!target.is("Tuple")) return fmt::format("for ({} {} : {}) {{", cpp_parameter(item), names, rows.code);
  need("#include <tuple>");
  if (rows.temporary && rows.code.ends_with(items)) rows.code.resize(rows.code.size() - items.size());
  return fmt::format("for (const auto& {} : {}) {{", names, rows.code);
}

/// A loop goes through a list as it is at each step; C++ through what it was, or through what is no more.
void Translator::refuse_changes_of(const Node& over, const std::vector<Node>& body) {
  const auto changed = changed_names(body);
  over.walk([&](const Node& each) {
    if (!each.is("Name") || !changed.contains(each.text("id"))) return true;
    const auto* variable = scope().find(each.text("id"));
    const bool container =
        variable != nullptr && (variable->type.is(Kind::list) || variable->type.is(Kind::dict));
    if (container) throw NotPorted("a loop changes what it goes through");
    return true;
  });
}

}  // namespace torchbook::translate
