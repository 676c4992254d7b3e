#include <fmt/format.h>
#include <torchbook/importing/source.h>
#include <torchbook/importing/visible.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace torchbook::importing {

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
