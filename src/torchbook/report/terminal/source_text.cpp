// Indents, highlights and arranges sources.
#include <torchbook/notebook/lines.h>
#include <torchbook/report/highlight.h>
#include <torchbook/report/terminal/source_text.h>
#include <torchbook/report/terminal/text.h>

#include <algorithm>
#include <vector>

namespace torchbook::report {
namespace {

constexpr std::size_t indent = 4;
constexpr std::size_t column_gap = 4;  // between two columns
constexpr std::string_view cpp_heading = "  C++";
constexpr std::string_view python_heading = "  PyTorch";

std::string marked(std::string_view code, Language language, const SourceStyle& style) {
  if (code.empty() && language == Language::python) return coloured("(none)", faint, style.colour);
  return style.colour ? highlighted(code, language, Markup::ansi) : std::string(code);
}

std::string indented(std::string_view source) {
  std::string text;
  for (const auto line : notebook::lines_of(source)) {
    if (!line.empty()) text.append(indent, ' ');
    text.append(line).push_back('\n');
  }
  return text;
}

std::size_t widest(const std::vector<std::string_view>& lines) {
  std::size_t width = 0;
  for (const auto line : lines) width = std::max(width, display_width(line));
  return width;
}

/// Returns two texts side by side. The second starts at the column `second`.
std::string side_by_side(const std::vector<std::string_view>& left,
                         const std::vector<std::string_view>& right, std::size_t second) {
  std::string text;
  for (std::size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
    const auto line = i < left.size() ? left[i] : std::string_view{};
    text += line;
    if (i < right.size() && !right[i].empty()) {
      text.append(second - display_width(line), ' ').append(right[i]);
    }
    text += '\n';
  }
  return text;
}

std::string both(std::string_view cpp, std::string_view python, const SourceStyle& style) {
  const std::string left = coloured(cpp_heading, faint, style.colour) + '\n' + indented(cpp);
  const std::string right = coloured(python_heading, faint, style.colour) + '\n' + indented(python);
  const auto left_lines = notebook::lines_of(left);
  const auto right_lines = notebook::lines_of(right);
  const auto second = widest(left_lines) + column_gap;
  if (second + widest(right_lines) > style.width) return left + right;
  return side_by_side(left_lines, right_lines, second);
}

}  // namespace

std::string source_text(std::string_view cpp, std::string_view python, const SourceStyle& style) {
  switch (style.shown) {
    case Sources::cpp:
      return indented(marked(cpp, Language::cpp, style));
    case Sources::python:
      return indented(marked(python, Language::python, style));
    case Sources::both:
      return both(marked(cpp, Language::cpp, style), marked(python, Language::python, style), style);
    case Sources::none:
      break;
  }
  return {};
}

}  // namespace torchbook::report
