// Splits texts into lines, counts lines and other things, and removes spaces.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::notebook {

/// Returns the lines of a text, without their newlines, as views of `text`.
inline std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Returns the line of the byte at `offset`, from 1.
inline std::size_t line_at(std::string_view text, std::size_t offset) {
  const auto before = text.substr(0, offset);
  return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

/// Returns the text with each `\r\n` as `\n`, and without a byte order mark.
inline std::string with_newlines(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') result.push_back(text[i]);
  }
  return result;
}

/// Returns `1 cell` or `2 cells`.
inline std::string counted(std::uint64_t n, std::string_view noun) {
  return std::to_string(n) + ' ' + std::string(noun) + (n == 1 ? "" : "s");
}

/// Returns the spaces and tabs at the beginning of a line.
inline std::string_view indent_of(std::string_view line) {
  return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

/// Returns the text without spaces and tabs around it.
inline std::string_view trimmed(std::string_view text) {
  text.remove_prefix(indent_of(text).size());
  return text.substr(0, text.find_last_not_of(" \t") + 1);  // npos + 1 is 0
}

/// Returns the text without spaces, tabs and empty lines at its end.
inline std::string without_blank_end(std::string text) {
  text.erase(text.find_last_not_of("\n \t") + 1);
  return text;
}

}  // namespace torchbook::notebook
