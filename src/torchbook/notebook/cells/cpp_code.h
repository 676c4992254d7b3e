// Tells code from comments and literals in C++ source text, and writes literals.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::notebook {

/// A line of C++.
struct CodeLine {
  std::string_view text;
  std::string code{};          ///< `text` without comments, and with `""` for each literal
  bool in_raw_string = false;  ///< it begins inside a raw string
};

/// Returns the lines of a C++ text, which must outlive them. Knows raw strings and comments of several lines,
/// but does not join a line that ends with `\` and the next one.
std::vector<CodeLine> code_lines(std::string_view cpp);

/// Returns whether a text consists of ASCII letters, digits and underscores, and begins with no digit.
bool is_name(std::string_view text);

/// Returns whether a character can be part of an identifier. All characters beyond ASCII can.
bool is_word_character(char c);

/// Returns whether a character of pyrepr::detail::first_character() is invisible: a control character other
/// than newline and tab, a mark of direction, or a byte that is not UTF-8. g++ rejects some of them in
/// comments and literals, and some hide code from a reader.
bool is_invisible(char32_t code);

/// How a literal writes characters beyond ASCII: unchanged, or each byte as an escape.
enum class Letters { as_they_are, ascii };

/// Returns a text as a string literal, with its quotes. Invisible characters are escaped.
std::string string_literal(std::string_view text, Letters letters = Letters::as_they_are);

}  // namespace torchbook::notebook
