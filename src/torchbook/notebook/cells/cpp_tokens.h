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

/// Splits a source into tokens, in linear time. Comments and white space are left out, line splices are
/// joined, and raw strings keep theirs, as C++ has it. Lines end in a newline (see with_newlines). Throws
/// TextError if a comment or a literal does not end.
std::vector<CppToken> cpp_tokens(std::string_view source);

/// For each bracket `(`, `[`, `{` the index of the token that closes it, and for each closing one of the
/// token that opens it; for any other token its own index. Throws TextError if a bracket has no counterpart.
std::vector<std::size_t> bracket_partners(const std::vector<CppToken>& tokens);

/// Returns the text with each `\r\n` as `\n`, and without a byte order mark.
std::string with_newlines(std::string_view text);

/// Returns the characters that a string token means: escapes decoded, quotes and delimiters taken off. The
/// token must have no prefix other than `R` and no suffix; otherwise throws TextError.
std::string string_value(const CppToken& token);

/// How a literal has the letters beyond ASCII: as they are, or each of their bytes as an escape.
enum class Letters { as_they_are, ascii };

/// Returns a text as a string literal, with its quotes.
std::string string_literal(std::string_view text, Letters letters = Letters::as_they_are);

}  // namespace torchbook::notebook
