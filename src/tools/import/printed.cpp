// Finds the headings of cells.
#include <fmt/format.h>
#include <tools/import/printed_cell.h>
#include <tools/import/source.h>
#include <tools/import/visible.h>
#include <torchbook/notebook/cells/label.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace torchbook::importing {
namespace {

/// A line `In [1]:`.
struct Heading {
  std::string label;
  std::size_t begin;  ///< the offset of the line
  std::size_t end;    ///< the offset after it, or of the code that follows in the same line
};

/// Returns the label of a line that begins a cell, and the length of its heading.
std::optional<std::pair<std::string, std::size_t>> heading_of(std::string_view line) {
  constexpr std::string_view start = "In [";
  const auto close = line.find("]:");
  if (!line.starts_with(start) || close == line.npos) return std::nullopt;
  const bool alone = line.find_first_not_of(" \t", close + 2) == line.npos;
  if (!alone && line[close + 2] != ' ') return std::nullopt;
  const auto label = line.substr(start.size(), close - start.size());
  const bool run = !label.empty() && label.find_first_not_of("0123456789") == label.npos;
  const bool none = label == "None" || label == "*" || label.find_first_not_of(' ') == label.npos;
  if ((!run && !none) || label.size() > 64) return std::nullopt;
  return std::pair(run ? std::string(label) : "None", alone ? line.size() : close + 3);
}

std::vector<Heading> headings_of(std::string_view text) {
  std::vector<Heading> headings;
  std::size_t at = 0;
  bool behind_blank = true;
  while (at < text.size()) {
    const auto line = text.substr(at, text.find('\n', at) - at);
    const bool alone = line.ends_with("]:");  // code in the same line must follow an empty one
    if (auto heading = alone || behind_blank ? heading_of(line) : std::nullopt) {
      const bool whole = heading->second == line.size();
      headings.push_back(
          {std::move(heading->first), at, std::min(at + heading->second + (whole ? 1 : 0), text.size())});
    }
    behind_blank = line.empty();
    at += line.size() + 1;
  }
  return headings;
}

void add_text(SourceNotebook& notebook, std::string text) {
  if (text.find_first_not_of(" \n\t") != text.npos) notebook.items.emplace_back(SourceText{std::move(text)});
}

void add_cell(SourceNotebook& notebook, const Heading& heading, PrintedCell part) {
  auto& cell = notebook.add_cell(heading.label, std::move(part.code));
  cell.shown.out = std::move(part.out);
  cell.shown.result = std::move(part.result);
  if (!part.picture.empty()) {
    cell.exception = "picture";
    notebook.remark(cell, fmt::format("a picture ({}): C++ prints text only", cited(part.picture)));
  }
  if (!part.error.empty()) {
    const std::string_view error = part.error;
    cell.exception = fmt::format("not ported: it raised {}", cited(error.substr(0, error.find(':'))));
    notebook.remark(cell, fmt::format("it raised {}", cited(error)));
  }
  notebook.find_release(cell);
  add_text(notebook, std::move(part.text));
}

/// Throws ImportError with the line of the first byte that is not UTF-8.
void require_utf8(std::string_view text) {
  std::size_t number = 0;
  for (const auto line : notebook::lines_of(text)) {
    ++number;
    if (!is_utf8(line)) throw ImportError(number, "this line is not UTF-8; a printed notebook must be");
  }
}

}  // namespace

SourceNotebook read_printed(std::string_view document) {
  require_utf8(document);
  const std::string text = notebook::with_newlines(document);
  const auto headings = headings_of(text);
  if (headings.empty()) {
    throw ImportError(
        0, "it is neither a notebook (.ipynb) nor a printed one, whose cells begin with 'In [1]:'");
  }
  SourceNotebook notebook;
  KnownNames known;
  add_text(notebook, text.substr(0, headings[0].begin));
  for (std::size_t i = 0; i < headings.size(); ++i) {
    const bool last = i + 1 == headings.size();
    auto cell = std::string_view(text).substr(0, last ? text.size() : headings[i + 1].begin);
    cell.remove_prefix(headings[i].end);
    for (int newline = 0; newline < (last ? 1 : 2) && cell.ends_with('\n'); ++newline) cell.remove_suffix(1);
    add_cell(notebook, headings[i], divide_cell(cell, last, known));
  }
  return notebook;
}

}  // namespace torchbook::importing
