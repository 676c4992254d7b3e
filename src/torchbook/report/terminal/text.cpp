#include <fmt/format.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/report/highlight.h>
#include <torchbook/report/terminal/text.h>

#include <algorithm>

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

std::string coloured(std::string_view text, std::string_view code, bool colour) {
  return colour ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

std::size_t display_width(std::string_view line) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\033') {
      i = std::min(line.find('m', i), line.size());
    } else if ((static_cast<unsigned char>(line[i]) & 0xC0) != 0x80) {  // not a continuation byte
      ++width;
    }
  }
  return width;
}

std::vector<std::string_view> wrapped(std::string_view line, std::size_t width) {
  std::vector<std::string_view> lines;
  std::size_t start = 0;  // of the line that is being filled
  std::size_t end = 0;    // of its last word
  std::size_t columns = 0;
  for (;;) {
    const auto word = line.find_first_not_of(' ', end);
    if (word == line.npos) break;
    const auto word_end = std::min(line.find(' ', word), line.size());
    const auto word_columns = display_width(line.substr(word, word_end - word));
    columns += word - end + word_columns;
    if (columns > width && end != start) {
      lines.push_back(line.substr(start, end - start));
      start = word;
      columns = word_columns;
    }
    end = word_end;
  }
  lines.push_back(line.substr(start));
  return lines;
}

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
