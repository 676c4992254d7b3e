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

/// How a literal writes characters beyond ASCII: unchanged, or each byte as an escape.
enum class Letters { as_they_are, ascii };

/// Returns a text as a string literal, with its quotes.
std::string string_literal(std::string_view text, Letters letters = Letters::as_they_are);

}  // namespace torchbook::notebook
