// Follows IPython's inputtransformer2: leading_indent, classic_prompt and ipython_prompt, in this order.
#include <absl/strings/ascii.h>
#include <torchbook/importing/python_cell.h>
#include <torchbook/importing/words.h>
#include <torchbook/notebook/lines.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace torchbook::importing {
namespace {

using Lines = std::vector<std::string_view>;

/// Replaces `\r\n` and `\r`, which Python also accepts as line ends, by `\n`.
std::string with_newlines_only(std::string_view source) {
  std::string text;
  text.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r') text.push_back(source[i]);
    if (source[i] == '\r' && (i + 1 == source.size() || source[i + 1] != '\n')) text.push_back('\n');
  }
  return text;
}

/// Returns whether a line is empty or white space, as defined by Python's str.isspace().
bool is_white_space(std::string_view line) {
  constexpr std::array<std::string_view, 4> separators = {"\u2028", "\u2029", "\u0085", "\u00a0"};
  while (!(line = without_indent(line)).empty()) {
    const auto separator =
        std::find_if(separators.begin(), separators.end(), [&](auto one) { return line.starts_with(one); });
    if (separator == separators.end()) return false;
    line.remove_prefix(separator->size());
  }
  return true;
}

void remove_blank_lines_above(Lines& lines) {
  lines.erase(lines.begin(), std::find_if_not(lines.begin(), lines.end(), is_white_space));
}

/// Removes the first line's indentation from each line that begins with it.
void remove_indent(Lines& lines) {
  if (lines.empty()) return;
  const auto indent = lines[0].substr(0, lines[0].find_first_not_of(white_space));
  for (auto& line : lines) {
    if (line.starts_with(indent)) line.remove_prefix(indent.size());
  }
}

/// Returns the length of a prompt of Python at the beginning of a line; 0 if there is none.
std::size_t classic_prompt(std::string_view line) {
  if (!line.starts_with(">>>") && !line.starts_with("...")) return 0;
  if (line.size() == 3) return 3;
  return line[3] == ' ' ? 4 : 0;
}

/// Returns the length of a prompt such as `In [1]: ` or `   ...: `; 0 if there is none.
std::size_t jupyter_prompt(std::string_view line) {
  if (const auto dots = without_indent(line); dots.starts_with("...")) {
    const auto colon = dots.find_first_not_of('.');
    if (colon == dots.npos || dots[colon] != ':') return 0;
    const auto end = line.size() - dots.size() + colon + 1;
    return end + (end < line.size() && line[end] == ' ' ? 1 : 0);
  }
  constexpr std::string_view start = "In [";
  if (!line.starts_with(start)) return 0;
  const auto close = line.find_first_not_of("0123456789", start.size());
  return close > start.size() && line.substr(std::min(close, line.size())).starts_with("]: ") ? close + 3 : 0;
}

/// Removes prompts if one of the first two lines has one. A first line that begins with `...` is
/// Python, not a prompt.
void remove_prompts(Lines& lines, std::size_t (*prompt)(std::string_view)) {
  const bool python = !lines.empty() && classic_prompt(lines[0]) > 0 && lines[0].starts_with("...");
  const bool first = !lines.empty() && !python && prompt(lines[0]) > 0;
  if (!first && (lines.size() < 2 || prompt(lines[1]) == 0)) return;
  for (auto& line : lines) line.remove_prefix(prompt(line));
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const auto line : lines) text.append(line).push_back('\n');
  return text;
}

/// Cleans the lines below a cell magic separately, because Jupyter treats them as a cell of their
/// own.
std::string cleaned(std::string_view text, bool below_magic) {
  auto lines = notebook::lines_of(text);
  remove_blank_lines_above(lines);
  remove_indent(lines);
  remove_prompts(lines, classic_prompt);
  remove_prompts(lines, jupyter_prompt);
  auto python = joined(lines);
  const bool magic = !below_magic && python.starts_with("%%");
  if (!magic) return python;
  const auto body = python.find('\n') + 1;
  return python.substr(0, body) + cleaned(std::string_view(python).substr(body), true);
}

}  // namespace

std::string python_cell(std::string_view source) { return cleaned(with_newlines_only(source), false); }

}  // namespace torchbook::importing
