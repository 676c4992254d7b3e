// Cuts the text of a cell from its file, by lines: clang-format's layout makes a parser needless.
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/source.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace torchbook::notebook {
namespace {

constexpr std::string_view body_start = "[&] {";
constexpr std::string_view call_end = "});";

std::size_t indent_of(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

std::string_view trimmed(std::string_view text) {
  const auto first = indent_of(text);
  const auto last = text.find_last_not_of(' ');
  return first == text.size() ? std::string_view{} : text.substr(first, last - first + 1);
}

std::string without_indent(const std::vector<std::string_view>& lines) {
  std::size_t indent = std::string_view::npos;
  for (const auto line : lines) {
    if (!trimmed(line).empty()) indent = std::min(indent, indent_of(line));
  }
  std::string text;
  for (const auto line : lines) {
    text += line.substr(std::min(indent, line.size()));
    text += '\n';
  }
  if (!text.empty()) text.pop_back();
  return text;
}

[[noreturn]] void fail(std::size_t line, std::string_view what) {
  throw std::logic_error("source line " + std::to_string(line) + ": " + std::string(what));
}

}  // namespace

std::string call_body(std::string_view source, std::size_t line) {
  const auto lines = lines_of(source);
  if (line == 0 || line > lines.size()) fail(line, "the file has " + std::to_string(lines.size()) + " lines");
  // The call may wrap before its lambda (a long note); the lambda's own line is the first with "[&] {".
  std::size_t first = line - 1;
  while (first < lines.size() && lines[first].find(body_start) == std::string_view::npos) ++first;
  if (first == lines.size()) fail(line, "no lambda starts here or below");
  const auto rest = lines[first].substr(lines[first].find(body_start) + body_start.size());
  if (rest.ends_with(call_end)) return std::string(trimmed(rest.substr(0, rest.size() - call_end.size())));
  const auto indent = indent_of(lines[line - 1]);
  std::vector<std::string_view> body;
  for (std::size_t i = first + 1; i < lines.size(); ++i) {
    if (trimmed(lines[i]) == call_end && indent_of(lines[i]) <= std::max(indent, indent_of(lines[first]))) {
      return without_indent(body);
    }
    body.push_back(lines[i]);
  }
  fail(line, "the call does not end");
}

}  // namespace torchbook::notebook
