#pragma once

#include <absl/strings/ascii.h>
#include <absl/strings/str_replace.h>

#include <string>
#include <string_view>

namespace torchbook::importing {

constexpr std::string_view white_space = " \t\n\v\f\r";

/// Returns the text without white space at its beginning.
inline std::string_view without_indent(std::string_view text) {
  const auto begin = text.find_first_not_of(white_space);
  return begin == text.npos ? std::string_view() : text.substr(begin);
}

/// Returns the text without white space around it.
inline std::string_view stripped(std::string_view text) {
  text = without_indent(text);
  return text.substr(0, text.find_last_not_of(white_space) + 1);  // npos + 1 is 0
}

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// Returns whether a text begins with `word`, which is in lower case. Ignores the case of the text.
inline bool begins_with_word(std::string_view text, std::string_view word) {
  return absl::AsciiStrToLower(std::string(text.substr(0, word.size()))) == word;
}

/// Returns whether a character can be part of a Python identifier.
inline bool is_of_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return absl::ascii_isalnum(byte) || c == '_' || !absl::ascii_isascii(byte);
}

/// Returns a text with the line endings of `model`: `\r\n` if that has one, otherwise the text's own `\n`.
inline std::string with_line_ends_of(std::string_view model, const std::string& text) {
  return contains(model, "\r\n") ? absl::StrReplaceAll(text, {{"\n", "\r\n"}}) : text;
}

}  // namespace torchbook::importing
