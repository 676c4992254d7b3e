// Reads UTF-8 character by character.
#pragma once

#include <cstddef>
#include <string_view>

namespace torchbook::pyrepr::inline v1 {

/// A character's code point and its length in bytes.
struct Utf8Character {
  char32_t code;
  std::size_t length;
};

/// Returns the first character of a non-empty text. A byte that is not UTF-8 counts as one character with the
/// code U+DC00 + byte, as in Python's surrogateescape.
Utf8Character first_character(std::string_view text);

}  // namespace torchbook::pyrepr::inline v1
