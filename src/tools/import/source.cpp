#include <absl/strings/ascii.h>
#include <fmt/format.h>
#include <tools/import/source.h>
#include <tools/import/text.h>
#include <tools/import/visible.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace torchbook::importing {
namespace {

constexpr std::size_t longest_release = 40;

bool is_of_release(char c) { return absl::ascii_isalnum(c) || c == '.' || c == '+'; }

/// Returns the first word that begins with a number such as 2.4, including any suffix.
std::string first_release(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_of_release(text[i])) continue;
    const auto begin = i;
    while (i < text.size() && is_of_release(text[i])) ++i;
    auto word = text.substr(begin, i - begin);
    while (word.ends_with('.')) word.remove_suffix(1);
    const auto dot = word.find('.');
    const bool number = dot != word.npos && dot > 0 &&
                        word.substr(0, dot).find_first_not_of("0123456789") == word.npos &&
                        absl::ascii_isdigit(word[dot + 1]);
    if (number && word.size() <= longest_release) return std::string(word);
  }
  return {};
}

/// Returns the release in an output, in a line that names torch or in one that holds nothing else.
std::string release_in(std::string_view output) {
  if (auto release = named_release(output); !release.empty()) return release;
  const auto lines = notebook::lines_of(output);
  return lines.size() == 1 ? first_release(lines[0].substr(0, longest_release)) : std::string();
}

}  // namespace

std::string named_release(std::string_view text) {
  for (const auto line : notebook::lines_of(text)) {
    if (!contains(line, "torch") && !contains(line, "Torch") && !contains(line, "TORCH")) continue;
    if (auto release = first_release(line.substr(0, 1000)); !release.empty()) return release;
  }
  return {};
}

bool throws_in_libtorch(std::string_view error, std::string_view what) {
  return error == "RuntimeError" && !contains(what, "device") && !contains(what, "CUDA");
}

SourceCell& SourceNotebook::add_cell(std::string label, std::string python) {
  constexpr std::ptrdiff_t most_lines = 100000;
  if (std::count(python.begin(), python.end(), '\n') > most_lines) {
    throw ImportError(0, fmt::format("cell @{} has more than {} lines", cells + 1, most_lines));
  }
  auto& cell = std::get<SourceCell>(items.emplace_back(SourceCell{.python = std::move(python), .shown = {}}));
  cell.shown.position = ++cells;
  cell.shown.label = std::move(label);
  return cell;
}

void SourceNotebook::number_unrun_cells() {
  std::vector<SourceCell*> all;
  for (auto& item : items) {
    if (auto* const cell = std::get_if<SourceCell>(&item)) all.push_back(cell);
  }
  if (std::any_of(all.begin(), all.end(), [](const auto* cell) { return cell->shown.label != "None"; }))
    return;
  for (auto* const cell : all) cell->shown.label = std::to_string(cell->shown.position);
  for (auto& remark : remarks) {
    if (!remark.label.empty()) remark.label = std::to_string(remark.position);
  }
}

void SourceNotebook::find_release(const SourceCell& cell) {
  const std::string_view python = cell.python;
  const bool asked = contains(python, "torch.__version__") || contains(python, "version(\"torch\")") ||
                     contains(python, "version('torch')") || contains(python, "\"torch\"");
  if (!asked) return;
  if (release.empty()) release = release_in(cell.shown.out);
  if (release.empty() && cell.shown.result) release = release_in(*cell.shown.result);
}

void SourceNotebook::remark(const SourceCell& cell, std::string what) {
  remarks.push_back({cell.shown.position, cell.shown.label, std::move(what)});
}

void SourceNotebook::remark(std::string what) { remarks.push_back({cells, {}, std::move(what)}); }

std::string cited(std::string_view text) {
  constexpr std::size_t longest_cited = 60;
  auto line = text.substr(0, text.find('\n'));
  if (line.size() <= longest_cited) return visible(line);
  auto end = longest_cited;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;  // in a UTF-8 character
  return visible(line.substr(0, end)) + "…";
}

}  // namespace torchbook::importing
