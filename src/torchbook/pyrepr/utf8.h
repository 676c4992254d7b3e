// Reads UTF-8 character by character, strictly: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <string_view>

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1::detail {

/// A character's code point and its length in bytes.
struct Utf8Character {
  char32_t code;
  std::size_t length;
};

/// Returns the length of the character that a lead byte starts, or 0 for other bytes.
constexpr std::size_t announced(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

/// Returns the first character of a non-empty text. A byte that is not UTF-8 counts as one character with the
/// code U+DC00 + byte, as in Python's surrogateescape.
constexpr Utf8Character first_character(std::string_view text) {
  const auto byte_at = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte_at(0);
  const Utf8Character escaped{0xDC00u + lead, 1};
  const std::size_t length = announced(lead);
  if (length == 0 || length > text.size()) return escaped;
  if (length == 1) return {lead, 1};
  char32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(i) & 0xC0) != 0x80) return escaped;
    code = (code << 6) | (byte_at(i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return escaped;
  return {code, length};
}

}  // namespace torchbook::pyrepr::inline v1::detail
#pragma GCC visibility pop
