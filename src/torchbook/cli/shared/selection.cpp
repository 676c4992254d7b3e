#include <absl/strings/str_replace.h>
#include <absl/strings/str_split.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/shared/program.h>
#include <torchbook/cli/shared/selection.h>
#include <torchbook/cli/system/cleanup.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/parse_integer.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>

namespace torchbook::cli {
namespace {

using notebook::PortedNotebook;
using notebook::trimmed;

/// A cell that the user named, or the first and last one of a range.
struct Item {
  std::string word;         // as the user wrote it
  std::string first, last;  // labels, or `@` and a position
};

/// Returns the positions of all cells with this label, or the position that `@7` names, if it
/// exists.
std::vector<std::size_t> positions_of(std::string_view cell, const PortedNotebook& notebook) {
  const auto labels = notebook::labels_of(notebook.table);
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool is_named = cell.starts_with('@')
                              ? notebook::parse_integer<std::size_t>(cell.substr(1)) == i + 1
                              : labels[i] == cell;
    if (is_named) positions.push_back(i + 1);
  }
  return positions;
}

bool has(const PortedNotebook& notebook, const Item& item) {
  return !positions_of(item.first, notebook).empty() && !positions_of(item.last, notebook).empty();
}

/// Reads `26`, `In [26]`, `@7` or a range of two of them. A label may contain a dash.
Item item_of(const std::string& word, const std::vector<PortedNotebook>& notebooks) {
  const auto bare = absl::StrReplaceAll(word, {{"In [", ""}, {"In[", ""}, {"In ", ""}, {"[", ""}, {"]", ""}});
  const std::string text(trimmed(bare));
  Item item{.word = std::string(trimmed(word)), .first = text, .last = text};
  const auto dash = text.find('-');
  const bool is_label =
      std::any_of(notebooks.begin(), notebooks.end(), [&](const auto& one) { return has(one, item); });
  if (is_label || dash == text.npos || dash == 0) return item;
  item.first = trimmed(std::string_view(text).substr(0, dash));
  item.last = trimmed(std::string_view(text).substr(dash + 1));
  return item;
}

/// Returns the error for an item that no notebook has.
std::string no_such_cell(const Item& item, const std::vector<PortedNotebook>& notebooks) {
  const auto program = notebook::program_name();
  const auto slug = notebooks.size() == 1 ? notebooks.front().slug : std::string_view{};
  const auto words = !slug.empty() ? fmt::format("{} has no such cell", slug)
                     : item.first == item.last
                         ? fmt::format("no notebook has a cell {}", item.first)
                         : fmt::format("no notebook has both {} and {}", item.first, item.last);
  return fmt::format("--cell {}: {}; write --cell 26, --cell 26-40 or --cell @7; {} {} shows the cells",
                     item.word, words, program, program == slug ? "--list" : "list SLUG");
}

/// Returns the index of the only notebook that has the cells of an item.
std::size_t owner_of(const Item& item, const std::vector<PortedNotebook>& notebooks) {
  std::vector<std::size_t> owners;
  std::vector<std::string_view> slugs;
  for (std::size_t i = 0; i < notebooks.size(); ++i) {
    if (!has(notebooks[i], item)) continue;
    owners.push_back(i);
    slugs.push_back(notebooks[i].slug);
  }
  if (owners.empty()) throw UsageError(no_such_cell(item, notebooks));
  if (owners.size() == 1) return owners.front();
  throw UsageError(fmt::format("--cell {}: several notebooks have this cell; name one of them: {}", item.word,
                               fmt::join(slugs, ", ")));
}

/// Returns the position of the first or last cell of an item. Throws UsageError if several cells
/// have that label.
std::size_t position_of(const std::string& cell, const Item& item, const PortedNotebook& notebook) {
  const auto positions = positions_of(cell, notebook);
  if (positions.size() == 1) return positions.front();
  throw UsageError(fmt::format("--cell {}: {} has {} cells In [{}]; say which: @{}", item.word, notebook.slug,
                               positions.size(), cell, fmt::join(positions, ", @")));
}

void add_positions(const Item& item, const PortedNotebook& notebook, std::set<std::size_t>& positions) {
  const auto first = position_of(item.first, item, notebook);
  const auto last = position_of(item.last, item, notebook);
  if (first > last) {
    throw UsageError(fmt::format("--cell {}: in {}, {} comes after {}; write --cell {}-{}", item.word,
                                 notebook.slug, item.first, item.last, item.last, item.first));
  }
  for (auto position = first; position <= last; ++position) positions.insert(position);
}

/// Returns the slug that a word means: the whole, the beginning of only one, or a part of only one.
std::string slug_of(const std::string& word, std::span<const PortedNotebook> linked) {
  std::vector<std::string> slugs, begun, containing;
  for (const auto& one : linked) {
    const auto& slug = slugs.emplace_back(one.slug);
    if (slug == word) return slug;
    if (!word.empty() && slug.starts_with(word)) begun.push_back(slug);
    if (!word.empty() && slug.find(word) != slug.npos) containing.push_back(slug);
  }
  if (begun.size() == 1) return begun.front();
  if (containing.size() == 1) return containing.front();
  if (!containing.empty())
    throw UsageError(fmt::format("{} is a part of several names: {}", word, fmt::join(containing, ", ")));
  std::error_code unreadable;
  if (std::filesystem::exists(word + ".cpp", unreadable))
    throw UsageError(
        fmt::format("no notebook of {0} is named {1}; {1}.cpp belongs to the program that its own project "
                    "builds: cmake --build build, then build/PROGRAM instead of {0}",
                    notebook::program_name(), word));
  const auto meant =
      word == "regression" ? "; the wide suite is torchbook regression" : did_you_mean(word, slugs);
  throw UsageError(
      fmt::format("no notebook is named {}{}", word.empty() ? "''" : word,
                  meant.empty() ? fmt::format("; there are {}", fmt::join(slugs, ", ")) : meant));
}

}  // namespace

std::vector<PortedNotebook> selected_notebooks(const std::vector<std::string>& words) {
  const auto linked = notebook::linked_notebooks();
  std::set<std::string, std::less<>> named;
  for (const auto& word : words) named.insert(slug_of(word, linked));
  std::vector<PortedNotebook> notebooks;
  for (const auto& one : linked) {
    if (words.empty() || named.contains(one.slug)) notebooks.push_back(one);
  }
  return notebooks;
}

std::vector<SelectedNotebook> select_cells(const std::vector<PortedNotebook>& notebooks,
                                           const std::vector<std::string>& words) {
  std::map<std::size_t, std::set<std::size_t>> positions;  // by index of the notebook
  for (const auto& word : words) {
    const std::vector<std::string> cells = absl::StrSplit(word, ',');
    for (const auto& one : cells) {
      const auto item = item_of(one, notebooks);
      const auto owner = owner_of(item, notebooks);
      add_positions(item, notebooks[owner], positions[owner]);
    }
  }
  std::vector<SelectedNotebook> selected;
  for (std::size_t i = 0; i < notebooks.size(); ++i) {
    if (words.empty()) selected.push_back({.notebook = notebooks[i]});
    if (positions.contains(i)) selected.push_back({.notebook = notebooks[i], .positions = positions[i]});
  }
  return selected;
}

notebook::Transcript run_until_crash(const PortedNotebook& notebook,
                                     const std::optional<std::set<std::size_t>>& positions,
                                     notebook::RunTrace* trace) {
  const auto crash = crash_of(notebook.slug);
  if (!crash) return run(notebook, positions, trace);
  std::set<std::size_t> before;
  for (std::size_t position = 1; position < crash->position; ++position) before.insert(position);
  auto transcript = run(notebook, before, trace);
  for (auto& item : transcript.items) {
    auto* cell = std::get_if<notebook::Cell>(&item);
    if (cell == nullptr) continue;
    cell->selected = !positions || positions->contains(cell->position);
    if (cell->position != crash->position) continue;
    cell->ran = true;
    cell->error = "crashed by " + crash->what;
  }
  return transcript;
}

void require_one(const std::vector<SelectedNotebook>& selected, std::string_view what) {
  if (selected.size() < 2) return;
  std::vector<std::string_view> slugs;
  slugs.reserve(selected.size());
  for (const auto& one : selected) slugs.push_back(one.notebook.slug);
  throw UsageError(fmt::format("{} is for one notebook; name it: {}", what, fmt::join(slugs, ", ")));
}

}  // namespace torchbook::cli
