// Finds notebooks by slug or suite. Parses `--cell` and looks up its cells in the tables of the notebooks.
#include <absl/strings/ascii.h>
#include <absl/strings/str_split.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/shared/selection.h>
#include <torchbook/cli/shared/words.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/parse_integer.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

namespace torchbook::cli {
namespace {

using notebook::trimmed;

/// The labels of a notebook's cells. The first cell has index 0.
using Labels = std::vector<std::string>;

/// A notebook that may have the cells.
struct Candidate {
  std::string slug;
  Labels labels;
};

/// A cell of the list, or a range of cells.
struct Item {
  std::string word;   // as the user wrote it
  std::string first;  // a label, or `@` and a position
  std::string last;   // likewise, empty if the item is no range
};

std::optional<std::size_t> number(std::string_view text) {
  return notebook::parse_integer<std::size_t>(text);
}

/// Returns the label in `In [26]`, `[26]` or `In 26`. Returns any other text as it is. Trims
/// spaces.
std::string_view bare(std::string_view text) {
  const auto whole = trimmed(text);
  auto inner = whole;
  if (inner.starts_with("In") || inner.starts_with("in")) inner = trimmed(inner.substr(2));
  if (whole.size() > 2 && whole.substr(2, 1) == " " && number(inner)) return inner;
  if (!inner.starts_with('[') || inner.find(']') + 1 != inner.size()) return whole;
  return trimmed(inner.substr(1, inner.size() - 2));
}

/// Returns the positions of all cells with this label, or the position that `@7` names, if it
/// exists.
std::vector<std::size_t> positions_of(std::string_view cell, const Labels& labels) {
  std::vector<std::size_t> positions;
  if (cell.starts_with('@')) {
    const auto position = number(cell.substr(1));
    if (position && *position >= 1 && *position <= labels.size()) positions.push_back(*position);
    return positions;
  }
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] == cell) positions.push_back(i + 1);
  }
  return positions;
}

bool has(const Candidate& notebook, std::string_view cell) {
  return !positions_of(cell, notebook.labels).empty();
}

bool has(const Candidate& notebook, const Item& item) {
  return has(notebook, item.first) && (item.last.empty() || has(notebook, item.last));
}

/// Returns whether any notebook has a cell, or the cells of an item.
bool any_has(const std::vector<Candidate>& notebooks, const auto& wanted) {
  return std::any_of(notebooks.begin(), notebooks.end(), [&](const auto& one) { return has(one, wanted); });
}

/// Returns `In [26]` or `@7`. A label that contains a bracket is returned unchanged.
std::string name_of(const std::string& cell) {
  return cell.starts_with('@') || cell.find_first_of("[]") != cell.npos ? cell : fmt::format("In [{}]", cell);
}

Item item_of(std::string_view word, const std::vector<Candidate>& notebooks) {
  const auto text = bare(word);
  Item item{.word = std::string(trimmed(word)), .first = std::string(text), .last = {}};
  const auto dash = text.find('-');
  if (any_has(notebooks, item) || dash == text.npos) return item;
  const auto first = bare(text.substr(0, dash));
  const auto last = bare(text.substr(dash + 1));
  const bool starts_range =
      number(first) || any_has(notebooks, first) || (first.size() > 1 && first.starts_with('@'));
  if (!starts_range) return item;  // a label with a dash, or no position: @-1
  if (last.empty() || first.starts_with('@') != last.starts_with('@')) {
    throw UsageError(fmt::format(
        "--cell {}: a range needs two labels or two positions, as in --cell 26-40 or --cell @7-@9",
        item.word));
  }
  item.first = first;
  item.last = last;
  return item;
}

std::vector<Item> items_of(const std::string& word, const std::vector<Candidate>& notebooks) {
  std::vector<Item> items;
  const std::vector<std::string> parts = absl::StrSplit(word, ',');
  for (const auto& one : parts) {
    if (trimmed(one).empty()) {
      throw UsageError(
          fmt::format("--cell {}: an item of the list is empty; a list is like 3,13,@7-@9", word));
    }
    items.push_back(item_of(one, notebooks));
  }
  return items;
}

/// Returns the number after the letters in a text such as `Out[26]`, or nullopt.
std::optional<std::size_t> number_behind_letters(std::string_view text) {
  const auto first = text.find_first_of("0123456789");
  if (first == 0 || first == text.npos || text.substr(0, first).find_first_of("-@") != text.npos) return {};
  const auto digits = text.substr(first);
  return number(digits.substr(0, digits.find_first_not_of("0123456789")));
}

/// Returns a hint for an unknown label that is not a number.
std::string near_words(const std::string& label, const std::vector<std::string>& known) {
  if (const auto inner = number_behind_letters(label)) {
    const auto meant = std::to_string(*inner);
    if (std::find(known.begin(), known.end(), meant) != known.end()) {
      return fmt::format("; did you mean {}?", meant);
    }
  }
  const bool has_letter = std::any_of(label.begin(), label.end(), absl::ascii_isalpha);
  const auto meant = has_letter ? did_you_mean(label, known) : "";
  return meant.empty() ? "; write --cell 26, --cell 26-40 or --cell @7; torchbook list SLUG shows the cells"
                       : meant;
}

/// Returns a hint for an unknown label: the nearest labels.
std::string near_labels(const std::string& label, const std::vector<Candidate>& notebooks) {
  const auto wanted = number(label);
  std::optional<std::size_t> below;
  std::optional<std::size_t> above;
  std::vector<std::string> known;
  for (const auto& notebook : notebooks) {
    for (const auto& one : notebook.labels) {
      known.push_back(one);
      const auto value = number(one);
      if (!wanted || !value) continue;
      if (*value == *wanted) return fmt::format("; did you mean {}?", one);
      if (*value < *wanted) below = std::max(below.value_or(0), *value);
      if (*value > *wanted) above = std::min(above.value_or(*value), *value);
    }
  }
  if (!wanted) return near_words(label, known);
  if (below && above) return fmt::format("; the nearest are In [{}] and In [{}]", *below, *above);
  if (below || above) return fmt::format("; the nearest is In [{}]", below ? *below : *above);
  return "";
}

[[noreturn]] void fail_missing(const Item& item, const std::vector<Candidate>& notebooks) {
  for (const auto& cell : {item.first, item.last}) {
    if (cell.empty() || any_has(notebooks, cell)) continue;
    if (cell.starts_with('@')) {
      std::size_t most = 0;
      for (const auto& one : notebooks) most = std::max(most, one.labels.size());
      throw UsageError(fmt::format("--cell {}: {} has the positions @1 to @{}", item.word,
                                   notebooks.size() == 1 ? notebooks.front().slug : "the longest notebook",
                                   most));
    }
    throw UsageError(fmt::format("--cell {}: {} has {}cell {}{}", item.word,
                                 notebooks.size() == 1 ? notebooks.front().slug : "no notebook",
                                 notebooks.size() == 1 ? "no " : "a ", name_of(cell),
                                 near_labels(cell, notebooks)));
  }
  throw UsageError(fmt::format("--cell {}: {} and {} are cells of different notebooks", item.word,
                               name_of(item.first), name_of(item.last)));
}

/// Returns the position of the first or last cell of an item. Throws UsageError if several cells
/// have that label.
std::size_t position_of(const std::string& cell, const Item& item, const Candidate& notebook) {
  const auto positions = positions_of(cell, notebook.labels);
  if (positions.size() == 1) return positions.front();
  throw UsageError(fmt::format("--cell {}: {} has {} cells {}; say which: @{}", item.word, notebook.slug,
                               positions.size(), name_of(cell), fmt::join(positions, ", @")));
}

void add_positions(const Item& item, const Candidate& notebook, std::set<std::size_t>& positions) {
  const auto first = position_of(item.first, item, notebook);
  const auto last = item.last.empty() ? first : position_of(item.last, item, notebook);
  if (first > last) {
    throw UsageError(fmt::format("--cell {}: in {}, {} comes after {}; write --cell {}-{}", item.word,
                                 notebook.slug, name_of(item.first), name_of(item.last), item.last,
                                 item.first));
  }
  for (auto position = first; position <= last; ++position) positions.insert(position);
}

/// Returns the index of the only notebook that has the cells of an item.
std::size_t owner_of(const Item& item, const std::vector<Candidate>& notebooks) {
  std::vector<std::size_t> owners;
  std::vector<std::string> slugs;
  for (std::size_t i = 0; i < notebooks.size(); ++i) {
    if (!has(notebooks[i], item)) continue;
    owners.push_back(i);
    slugs.push_back(notebooks[i].slug);
  }
  if (owners.empty()) fail_missing(item, notebooks);
  if (owners.size() == 1) return owners.front();
  throw UsageError(fmt::format("--cell {}: several notebooks have this cell; name one of them: {}", item.word,
                               fmt::join(slugs, ", ")));
}

/// The names that a word may be.
struct Known {
  std::vector<std::string> slugs{};
  std::vector<std::string> without_suite{};  ///< the slugs of no suite
  std::vector<std::string> suites{};
};

Known known_names(std::span<const notebook::PortedNotebook> linked) {
  Known known;
  for (const auto& notebook : linked) {
    known.slugs.emplace_back(notebook.slug);
    if (notebook.suite.empty()) {
      known.without_suite.emplace_back(notebook.slug);
    } else if (known.suites.empty() || known.suites.back() != notebook.suite) {
      known.suites.emplace_back(notebook.suite);
    }
  }
  return known;
}

/// Returns the slugs of no suite, and the suites: `a, b, the suite c`.
std::string list_of(const Known& known) {
  auto names = known.without_suite;
  for (const auto& suite : known.suites) names.push_back("the suite " + suite);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Returns the known slug that a word means: the whole, the beginning of only one, or a part of only one.
std::string slug_of(const std::string& word, const Known& names) {
  const auto& known = names.slugs;
  if (std::find(known.begin(), known.end(), word) != known.end()) return word;
  std::vector<std::string> begun;
  std::vector<std::string> containing;
  for (const auto& slug : known) {
    if (slug.starts_with(word)) begun.push_back(slug);
    if (slug.find(word) != slug.npos) containing.push_back(slug);
  }
  if (begun.size() == 1) return begun.front();
  if (containing.size() == 1) return containing.front();
  if (!containing.empty())
    throw UsageError(fmt::format("{} is a part of several names: {}", word, fmt::join(containing, ", ")));
  auto all = known;
  all.insert(all.end(), names.suites.begin(), names.suites.end());
  const auto meant = did_you_mean(word, all);
  throw UsageError(fmt::format("no notebook is named {}{}", word,
                               meant.empty() ? fmt::format("; there are {}", list_of(names)) : meant));
}

/// Returns the slugs that a word names.
std::vector<std::string> slugs_of(const std::string& word, std::span<const notebook::PortedNotebook> linked) {
  const auto known = known_names(linked);
  if (word.empty())
    throw UsageError(fmt::format("an empty name is no notebook's; there are {}", list_of(known)));
  std::vector<std::string> in_suite;
  for (const auto& notebook : linked) {
    if (notebook.suite == word) in_suite.emplace_back(notebook.slug);
  }
  if (!in_suite.empty()) return in_suite;
  return {slug_of(word, known)};
}

}  // namespace

std::vector<notebook::PortedNotebook> selected_notebooks(const std::vector<std::string>& words) {
  const auto linked = notebook::linked_notebooks();
  std::set<std::string> named;
  for (const auto& word : words) {
    for (auto& slug : slugs_of(word, linked)) named.insert(std::move(slug));
  }
  std::vector<notebook::PortedNotebook> notebooks;
  for (const auto& notebook : linked) {
    if (words.empty() ? notebook.suite.empty() : named.contains(std::string(notebook.slug)))
      notebooks.push_back(notebook);
  }
  return notebooks;
}

std::vector<SelectedNotebook> select_cells(const std::vector<notebook::PortedNotebook>& notebooks,
                                           const std::vector<std::string>& words) {
  std::vector<Candidate> candidates;
  candidates.reserve(notebooks.size());
  for (const auto& one : notebooks) {
    const auto labels = notebook::labels_of(one.table);
    candidates.push_back({std::string(one.slug), Labels(labels.begin(), labels.end())});
  }
  std::map<std::size_t, std::set<std::size_t>> positions;  // by index of the notebook
  for (const auto& word : words) {
    for (const auto& item : items_of(word, candidates)) {
      const auto owner = owner_of(item, candidates);
      add_positions(item, candidates[owner], positions[owner]);
    }
  }
  std::vector<SelectedNotebook> selected;
  for (std::size_t i = 0; i < notebooks.size(); ++i) {
    if (words.empty()) selected.push_back({.notebook = notebooks[i]});
    if (positions.contains(i)) selected.push_back({.notebook = notebooks[i], .positions = positions[i]});
  }
  return selected;
}

void require_one(const std::vector<SelectedNotebook>& selected, std::string_view what) {
  if (selected.size() < 2) return;
  std::vector<std::string_view> slugs;
  slugs.reserve(selected.size());
  for (const auto& one : selected) slugs.push_back(one.notebook.slug);
  throw UsageError(fmt::format("{} is for one notebook; name it: {}", what, fmt::join(slugs, ", ")));
}

}  // namespace torchbook::cli
