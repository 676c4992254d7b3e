// Finds notebooks by slug or suite.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/shared/nearest.h>
#include <torchbook/cli/shared/selection.h>
#include <torchbook/cli/system/exit.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

namespace torchbook::cli {
namespace {

/// Returns the known slug that a word means: the whole, the beginning of only one, or a part of only one.
std::string slug_of(const std::string& word, const std::vector<std::string>& known) {
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
  const auto meant = did_you_mean(word, known);
  throw UsageError(
      fmt::format("no notebook is named {}{}", word,
                  meant.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : meant));
}

/// Returns the slugs that a word names.
std::vector<std::string> slugs_of(const std::string& word, std::span<const notebook::PortedNotebook> linked) {
  std::vector<std::string> known;
  std::vector<std::string> in_suite;
  for (const auto& notebook : linked) {
    known.emplace_back(notebook.slug);
    if (!word.empty() && notebook.suite == word) in_suite.emplace_back(notebook.slug);
  }
  if (word.empty()) {
    throw UsageError(fmt::format("an empty name is no notebook's; there are {}", fmt::join(known, ", ")));
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

}  // namespace torchbook::cli
