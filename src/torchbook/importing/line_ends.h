// Keeps the line endings of existing files.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::importing {

/// Returns a text with the line endings of `model`: `\r\n` if that has one, otherwise the text's
/// own `\n`.
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
