// Writes texts as string literals of C++.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::notebook {

/// Returns whether a character of pyrepr::detail::first_character() is invisible: a control character other
/// than newline and tab, a mark of direction, or a byte that is not UTF-8. g++ rejects some of them in
/// comments and literals, and some hide code from a reader.
bool is_invisible(char32_t code);

/// How a literal writes characters beyond ASCII: unchanged, or each byte as an escape.
enum class Letters { as_they_are, ascii };

/// Returns a text as a string literal, with its quotes. Invisible characters are escaped.
std::string string_literal(std::string_view text, Letters letters = Letters::as_they_are);

}  // namespace torchbook::notebook
