// Finds notebooks by slug.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/shared/nearest.h>
#include <torchbook/cli/shared/selection.h>
#include <torchbook/cli/system/exit.h>

#include <algorithm>
#include <set>

namespace torchbook::cli {
namespace {

/// Returns the known slug that is `word` or begins with it.
std::string slug_of(const std::string& word, const std::vector<std::string>& known) {
  if (word.empty()) {
    throw UsageError(fmt::format("an empty name is no notebook's; there are {}", fmt::join(known, ", ")));
  }
  if (std::find(known.begin(), known.end(), word) != known.end()) return word;
  std::vector<std::string> continued;
  for (const auto& slug : known) {
    if (slug.starts_with(word)) continued.push_back(slug);
  }
  if (continued.size() == 1) return continued.front();
  if (continued.size() > 1) {
    throw UsageError(
        fmt::format("{} is the beginning of several names: {}", word, fmt::join(continued, ", ")));
  }
  const auto meant = did_you_mean(word, known);
  throw UsageError(
      fmt::format("no notebook is named {}{}", word,
                  meant.empty() ? fmt::format("; there are {}", fmt::join(known, ", ")) : meant));
}

}  // namespace

std::vector<notebook::PortedNotebook> selected_notebooks(const std::vector<std::string>& slugs) {
  const auto linked = notebook::linked_notebooks();
  std::vector<std::string> known;
  for (const auto& notebook : linked) known.emplace_back(notebook.slug);
  std::set<std::string> named;
  for (const auto& slug : slugs) named.insert(slug_of(slug, known));
  std::vector<notebook::PortedNotebook> notebooks;
  for (const auto& notebook : linked) {
    if (slugs.empty() || named.contains(std::string(notebook.slug))) notebooks.push_back(notebook);
  }
  return notebooks;
}

}  // namespace torchbook::cli
