#include <absl/strings/ascii.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>
#include <fmt/format.h>
#include <torchbook/report/documents/markdown.h>
#include <torchbook/report/quoted.h>

#include <algorithm>

namespace torchbook::report {
namespace {

/// Returns the text in one line. Trims it, and replaces each run of white space by one space.
std::string one_line(std::string_view text) {
  return absl::StrJoin(absl::StrSplit(std::string(text), absl::ByAnyChar(" \t\n\v\f\r"), absl::SkipEmpty()),
                       " ");
}

/// Returns whether the character at `place` has letters or digits on both sides. An underscore there is no
/// emphasis.
bool is_within_word(std::string_view line, std::size_t place) {
  return place > 0 && place + 1 < line.size() && absl::ascii_isalnum(line[place - 1]) &&
         absl::ascii_isalnum(line[place + 1]);
}

/// Returns the character at `place`, escaped where Markdown needs it anywhere in a line.
std::string escaped(std::string_view line, std::size_t place) {
  const char c = line[place];
  if (c == '<') return "&lt;";
  if (c == '>') return "&gt;";
  if (c == '&') return "&amp;";
  constexpr std::string_view markup = "\\`*_[~|$";
  const bool plain = markup.find(c) == markup.npos || (c == '_' && is_within_word(line, place));
  return plain ? std::string(1, c) : std::string{'\\', c};
}

/// Returns the position of the character that would make the line a heading or a list item, or
/// npos.
std::size_t start_markup(std::string_view line) {
  if (line.empty()) return line.npos;
  if (line[0] == '#' || line[0] == '+' || line[0] == '-') return 0;
  const auto number = static_cast<std::size_t>(
      std::find_if_not(line.begin(), line.end(), absl::ascii_isdigit) - line.begin());
  if (number == 0 || number == line.size() || (line[number] != '.' && line[number] != ')')) return line.npos;
  return number + 1 == line.size() || line[number + 1] == ' ' ? number : line.npos;
}

/// Returns the end of the code that starts at the backtick at `start`, or npos if none starts
/// there. Code has single backticks and is not empty.
std::size_t code_end(std::string_view line, std::size_t start) {
  const auto end = line.find('`', start + 1);
  const bool code = end != line.npos && end != start + 1 && line.substr(end + 1, 1) != "`";
  return code ? end : line.npos;
}

std::size_t longest_run(std::string_view text, char of) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == of ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string markdown_paragraph(std::string_view text) {
  const auto line = pictured(one_line(text));
  const auto start = start_markup(line);
  std::string paragraph;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool alone = line[i] == '`' && (i == 0 || line[i - 1] != '`');
    const auto end = alone ? code_end(line, i) : std::string::npos;
    if (end != std::string::npos) {
      paragraph.append(line, i, end + 1 - i);
      i = end;
    } else {
      if (i == start) paragraph += '\\';
      paragraph += escaped(line, i);
    }
  }
  return paragraph;
}

std::string markdown_fence(std::string_view text, std::string_view language) {
  std::string body = pictured(text);
  if (!body.ends_with('\n')) body += '\n';
  const std::string fence(std::max<std::size_t>(3, longest_run(body, '`') + 1), '`');
  return fmt::format("{}{}\n{}{}", fence, language, body, fence);
}

}  // namespace torchbook::report
