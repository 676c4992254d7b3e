// Tells code from comments and literals in C++ source text.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::notebook {

/// Returns the code of a C++ text at the same offsets. Comments and joined line ends (`\` before a
/// newline) become spaces. Each byte of a literal becomes a `"`, newlines in raw strings included. So a
/// bracket in the result is code, and its lines are whole lines of code. The lines of `cpp` must end in `\n`
/// (see with_newlines()). Throws TextError if a comment or a literal does not end.
std::string code_of(std::string_view cpp);

/// Returns whether a text consists of ASCII letters, digits and underscores, and begins with no digit.
bool is_name(std::string_view text);

/// Returns whether a character can be part of an identifier. All characters beyond ASCII can.
bool is_word_character(char c);

}  // namespace torchbook::notebook
