// Writes texts as string literals of C++, and reads them back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace torchbook::notebook {

/// Returns the text of adjacent string literals such as `"4"` or `"a" "b"`. Returns nullopt if the
/// C++ has anything else: a raw string, a prefix, a numeric escape, a comment.
std::optional<std::string> string_value(std::string_view literals);

/// How a literal writes characters beyond ASCII: unchanged, or each byte as an escape.
enum class Letters { as_they_are, ascii };

/// Returns a text as a string literal, with its quotes.
std::string string_literal(std::string_view text, Letters letters = Letters::as_they_are);

}  // namespace torchbook::notebook
