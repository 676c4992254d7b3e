// Splits Python source text into tokens: enough to guess whether a text is Python.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace torchbook::importing {

/// A token of Python source.
struct PythonToken {
  enum class Kind {
    word,      ///< an identifier or a keyword
    number,    ///< a number
    string,    ///< a string with its prefix
    mark,      ///< one character: an operator or a bracket
    line_end,  ///< the end of a statement
  };

  Kind kind;
  std::string_view text;

  bool is(std::string_view other) const { return kind != Kind::string && text == other; }
};

/// Returns the tokens of a text, without comments, and with a line_end after each statement.
/// Returns nullopt if the text cannot be Python: a quote or a bracket is not paired, or Python has
/// no use for a character. Takes linear time.
std::optional<std::vector<PythonToken>> python_tokens(std::string_view text);

/// Returns whether a word is a keyword of Python other than True, False and None.
bool is_python_keyword(std::string_view word);

}  // namespace torchbook::importing
