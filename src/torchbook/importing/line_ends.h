// Keeps the line ends of files that people have.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::importing {

/// Returns a text, whose lines end in `\n`, with the line ends of another one: `\r\n` if that has one.
inline std::string with_line_ends_of(std::string_view model, std::string text) {
  if (model.find("\r\n") == model.npos) return text;
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    if (c == '\n') result += '\r';
    result += c;
  }
  return result;
}

}  // namespace torchbook::importing
