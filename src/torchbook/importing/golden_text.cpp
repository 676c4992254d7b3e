// Writes a golden line by line, so that no text of an output needs an escape.
#include <fmt/format.h>
#include <torchbook/importing/golden_text.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace torchbook::importing {
namespace {

/// Appends the lines of an output, each with its mark. An empty line is the mark alone.
void append_lines(std::string& text, char mark, std::string_view lines) {
  for (bool more = true; more;) {
    const auto end = lines.find('\n');
    const auto line = lines.substr(0, end);
    text += mark;
    if (!line.empty()) fmt::format_to(std::back_inserter(text), " {}", line);
    text += '\n';
    more = end != lines.npos;
    if (more) lines.remove_prefix(end + 1);
  }
}

void append_cell(std::string& text, const golden::GoldenCell& cell) {
  fmt::format_to(std::back_inserter(text), "\n@{} In [{}]\n", cell.position, cell.label);
  if (!cell.out.empty()) {
    const bool ended = cell.out.ends_with('\n');
    append_lines(text, '>', std::string_view(cell.out).substr(0, cell.out.size() - (ended ? 1 : 0)));
    if (!ended) text += "\\ no newline\n";
  }
  if (cell.result) append_lines(text, '=', *cell.result);
}

}  // namespace

std::string golden_text(const golden::Golden& golden) {
  std::string text = fmt::format("golden of {}, from {}\n", golden.slug, golden.document);
  for (const auto& cell : golden.cells) append_cell(text, cell);
  const auto with_output = std::count_if(golden.cells.begin(), golden.cells.end(),
                                         [](const auto& cell) { return cell.has_output(); });
  return text + fmt::format("\nend: {} cells, {} with output\n", golden.cells.size(), with_output);
}

}  // namespace torchbook::importing
