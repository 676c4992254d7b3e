// Takes a piece out of a source and removes its indent.
#include <torchbook/notebook/cells/excerpt.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace torchbook::notebook {
namespace {

struct Line {
  std::string_view text;
  bool fixed;  // whether the line begins inside a raw string or after other code
};

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\v\f\r") == text.npos; }

std::string_view indent_of(std::string_view line) {
  return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

/// Returns whether an offset lies inside a raw string.
bool is_in_raw_string(std::size_t offset, const std::vector<CppToken>& tokens) {
  const auto behind =
      std::upper_bound(tokens.begin(), tokens.end(), offset,
                       [](std::size_t place, const CppToken& token) { return place < token.begin; });
  if (behind == tokens.begin()) return false;
  const auto& token = *std::prev(behind);
  return token.kind == CppToken::Kind::raw_string && token.begin < offset && offset < token.end;
}

std::vector<Line> lines_between(std::string_view text, std::size_t begin, std::size_t end,
                                const std::vector<CppToken>& tokens) {
  std::vector<Line> lines;
  bool first = true;
  while (begin < end) {
    const auto newline = std::min(text.find('\n', begin), end);
    auto line = text.substr(begin, newline - begin);
    if (first) line.remove_prefix(indent_of(line).size());
    lines.push_back({line, first || is_in_raw_string(begin, tokens)});
    first = false;
    begin = newline + 1;
  }
  while (!lines.empty() && is_blank(lines.back().text)) lines.pop_back();
  const auto code =
      std::find_if_not(lines.begin(), lines.end(), [](const Line& line) { return is_blank(line.text); });
  lines.erase(lines.begin(), code);
  return lines;
}

}  // namespace

std::string excerpt(std::string_view text, std::size_t begin, std::size_t end,
                    const std::vector<CppToken>& tokens) {
  const auto lines = lines_between(text, begin, end, tokens);
  std::optional<std::string_view> indent;
  for (const auto& line : lines) {
    if (line.fixed || is_blank(line.text)) continue;
    const auto own = indent_of(line.text);
    if (!indent) indent = own;
    const auto common = std::mismatch(indent->begin(), indent->end(), own.begin(), own.end()).first;
    indent = indent->substr(0, static_cast<std::size_t>(common - indent->begin()));
  }
  std::string result;
  for (const auto& line : lines) {
    auto shown = line.text;
    if (!line.fixed) shown.remove_prefix(std::min(indent ? indent->size() : 0, shown.size()));
    if (!line.fixed && is_blank(shown)) shown = {};
    result.append(shown).push_back('\n');
  }
  while (result.ends_with('\n')) result.pop_back();
  while (result.ends_with(' ') || result.ends_with('\t')) result.pop_back();
  return result;
}

}  // namespace torchbook::notebook
