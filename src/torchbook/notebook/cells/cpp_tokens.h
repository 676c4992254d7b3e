// Splits C++ source text into tokens: enough to know what is code, and where brackets open and close.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::notebook {

/// A token of C++ source.
struct CppToken {
  enum class Kind {
    word,         ///< an identifier or a keyword
    number,       ///< any preprocessing number, `1'000` and `0x1p-3` included
    string,       ///< a string literal that is not raw, with its prefix and suffix
    raw_string,   ///< `R"(…)"`, with any prefix, delimiter and suffix
    character,    ///< a character literal
    punctuation,  ///< one character; a digraph such as `<%` is the character that it represents
    directive,    ///< a preprocessor line as a whole, continuation lines included
  };

  Kind kind = Kind::punctuation;
  std::string text;       ///< the token without line splices and comments
  std::size_t begin = 0;  ///< the offset of its first byte
  std::size_t end = 0;    ///< the offset after its last byte
  std::size_t line = 0;   ///< the line of its first byte, from 1

  bool is(std::string_view other) const { return text == other && kind != Kind::directive; }
};

/// Splits a source into tokens, in linear time. Drops comments and white space. Joins line splices,
/// except inside raw strings. Lines must end in `\n` (see with_newlines). Throws TextError if a
/// comment or a literal does not end.
std::vector<CppToken> cpp_tokens(std::string_view source);

/// Returns whether a text is a keyword of C++20 or an alternative operator such as `and`.
bool is_cpp_keyword(std::string_view text);

/// Returns for each token the index of its partner: the token that closes or opens the bracket `(`,
/// `[` or `{`. The partner of any other token is the token itself. Throws TextError if a bracket
/// has no partner.
std::vector<std::size_t> bracket_partners(const std::vector<CppToken>& tokens);

/// Returns the text with each `\r\n` as `\n`, and without a byte order mark.
std::string with_newlines(std::string_view text);

/// Returns the value of a string literal: escapes decoded, quotes and delimiters removed. Throws
/// TextError if the token has a suffix or a prefix other than `R`.
std::string string_value(const CppToken& token);

/// How a literal writes characters beyond ASCII: unchanged, or each byte as an escape.
enum class Letters { as_they_are, ascii };

/// Returns a text as a string literal, with its quotes.
std::string string_literal(std::string_view text, Letters letters = Letters::as_they_are);

}  // namespace torchbook::notebook
