#include <fmt/format.h>
#include <torchbook/golden/golden_text.h>

namespace torchbook::golden {
namespace {

/// Prefixes each line of a text with `mark` and a space. An empty line becomes the mark alone.
std::string marked(std::string_view text, char mark) {
  std::string lines;
  for (;;) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    lines += line.empty() ? fmt::format("{}\n", mark) : fmt::format("{} {}\n", mark, line);
    if (end == text.npos) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string outputs_of(const GoldenCell& cell) {
  std::string text;
  const std::string_view out = cell.out;
  if (out.ends_with('\n')) {
    text += marked(out.substr(0, out.size() - 1), '>');
  } else if (!out.empty()) {
    text += marked(out, '>') + "\\ no newline\n";
  }
  if (cell.result) text += marked(*cell.result, '=');
  return text;
}

}  // namespace

std::string golden_text(const Golden& golden) {
  auto text = fmt::format("golden of {}, from {}\n", golden.slug, golden.document);
  for (const auto& cell : golden.cells) {
    text += fmt::format("\n@{} In [{}]\n{}", cell.position, cell.label, outputs_of(cell));
  }
  return text + '\n' + end_line(golden) + '\n';
}

}  // namespace torchbook::golden
