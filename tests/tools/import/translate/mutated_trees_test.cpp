// Tests that any tree, however broken, is either translated or rejected.
#include <gtest/gtest.h>
#include <support/folders.h>
#include <support/mutator.h>
#include <support/texts.h>
#include <tools/import/translate/syntax/syntax.h>
#include <tools/import/translate/translate.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::translate {
namespace {

using Tree = nlohmann::json;

/// Returns all values of a tree, including those in lists and nodes.
std::vector<Tree*> values_of(Tree& tree) {
  std::vector<Tree*> values{&tree};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]->is_structured()) continue;
    for (auto& value : *values[i]) values.push_back(&value);
  }
  return values;
}

std::size_t depth_of(const Tree& tree) {
  std::size_t deepest = 0;
  if (tree.is_structured()) {
    for (const auto& value : tree) deepest = std::max(deepest, depth_of(value));
  }
  return deepest + 1;
}

/// Changes trees at random, the same way in every run.
class TreeMutator {
 public:
  explicit TreeMutator(unsigned seed) : random_(seed) {}

  /// Makes one to six changes: replaces a value by another one of the notebook or by an odd one, or
  /// removes an item.
  void change(Tree& cells) {
    for (auto changes = 1 + below(6); changes > 0; --changes) {
      auto values = values_of(cells[below(cells.size())]);
      auto& place = *values[below(values.size())];
      auto others = values_of(cells[below(cells.size())]);
      switch (below(3)) {
        case 0:
          place = Tree(*others[below(others.size())]);  // a copy, because it may be a part of the place
          break;
        case 1:
          place = odd_values[below(odd_values.size())];
          break;
        default:
          if (place.is_structured() && !place.empty()) place.erase(std::next(place.begin(), offset(place)));
      }
    }
  }

 private:
  std::size_t below(std::size_t end) { return random_() % std::max<std::size_t>(end, 1); }
  std::ptrdiff_t offset(const Tree& place) { return static_cast<std::ptrdiff_t>(below(place.size())); }

  const std::vector<Tree> odd_values{nullptr,
                                     true,
                                     "",
                                     "x",
                                     "x\ny",
                                     "\"",
                                     "1e400",
                                     -1,
                                     0,
                                     9223372036854775807,
                                     1.5,
                                     Tree::array(),
                                     Tree::object(),
                                     std::string(10'000, '(')};
  std::mt19937 random_;
};

std::vector<PythonCell> cells_of(const Tree& trees) {
  std::vector<PythonCell> cells;
  for (const auto& tree : trees) cells.push_back({.tree = &tree});
  return cells;
}

/// Returns the number of ported cells. Fails if a line or a reason contains a newline.
std::size_t ported(const Tree& trees) {
  const auto port = translate(cells_of(trees));
  EXPECT_EQ(port.cells.size(), trees.size());
  std::size_t count = 0;
  for (const auto& cell : port.cells) {
    count += cell.why.empty() ? 1 : 0;
    EXPECT_EQ(cell.why.find('\n'), std::string::npos) << cell.why;
    for (const auto& line : cell.lines) EXPECT_EQ(line.find('\n'), std::string::npos) << line;
  }
  return count;
}

/// Returns the number of ported cells, or nullopt if the input is not a Python syntax tree.
std::optional<std::size_t> ported_if_a_tree(const Tree& trees) {
  try {
    return ported(trees);
  } catch (const NotPorted& refused) {
    EXPECT_EQ(std::string_view(refused.what()).substr(0, 13), "Python's tree");
    return std::nullopt;
  }
}

TEST(MutatedTrees, AreTranslatedOrRefused) {
  const auto notebooks = Tree::parse(test::read_file(test::trees_file()));
  ASSERT_EQ(notebooks.size(), 2U);
  for (const auto& notebook : notebooks) {
    const auto all = ported(notebook);
    ASSERT_GT(all, notebook.size() / 2);
    std::size_t most = 0, fewest = all;
    for (int seed = 0; seed < test::mutants() / 3; ++seed) {
      SCOPED_TRACE(seed);
      auto changed = notebook;
      TreeMutator(static_cast<unsigned>(seed)).change(changed);
      if (depth_of(changed) > 1000) continue;  // the reader of JSON would refuse it
      if (const auto count = ported_if_a_tree(changed)) {
        most = std::max(most, *count);
        fewest = std::min(fewest, *count);
      }
    }
    EXPECT_GT(most, notebook.size() / 2);
    EXPECT_LT(fewest, all);
  }
}

/// Returns the non-empty lists of a cell's nodes, with their names, if the name is not in `seen`
/// yet. Nested lists come first.
std::vector<std::pair<std::string, Tree*>> new_lists(Tree& cell, std::set<std::string>& seen) {
  std::vector<std::pair<std::string, Tree*>> lists;
  for (auto* node : values_of(cell)) {
    if (!node->is_object() || !node->contains("_")) continue;
    for (auto& [name, field] : node->items()) {
      const auto of = node->at("_").get<std::string>() + "." + name;
      if (field.is_array() && !field.empty() && seen.insert(of).second) lists.emplace_back(of, &field);
    }
  }
  std::reverse(lists.begin(), lists.end());
  return lists;
}

TEST(ListsOfTrees, OfOtherLengthsAreTranslatedOrRefused) {
  std::set<std::string> seen;
  for (const auto& notebook : Tree::parse(test::read_file(test::trees_file()))) {
    auto cells = Tree::array();
    for (const auto& cell : notebook) {
      cells.push_back(cell);
      for (const auto& [name, list] : new_lists(cells.back(), seen)) {
        SCOPED_TRACE(name);
        const auto before = *list;
        auto longer = before, shorter = before;
        longer.push_back(before.front());
        shorter.erase(shorter.begin());
        for (const auto& changed : {Tree::array(), longer, shorter}) {
          *list = changed;
          ported_if_a_tree(cells);
        }
        *list = before;
      }
    }
  }
  EXPECT_GT(seen.size(), 30U);
}

}  // namespace
}  // namespace torchbook::translate
