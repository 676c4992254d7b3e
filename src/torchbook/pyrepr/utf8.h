// Reads UTF-8, character by character.
#pragma once

#include <cstddef>
#include <string_view>

namespace torchbook::pyrepr {

/// One character of a text: its code point and the bytes it takes.
struct Utf8Character {
  char32_t code;
  std::size_t length;
};

/// The first character of a text that is not empty. A byte that is no UTF-8 counts as a character by itself,
/// with the code U+DC00 + byte, as Python's surrogateescape has it.
Utf8Character first_character(std::string_view text);

}  // namespace torchbook::pyrepr
