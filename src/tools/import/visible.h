// Makes a notebook's text fit into comments, literals and messages.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::importing {

/// Returns the text as UTF-8, with a placeholder such as `<U+202E>` for each invisible character:
/// control characters other than newline and tab, marks of direction, and bytes that are not UTF-8.
/// g++ rejects some of these in comments and literals, and some hide code from a reader.
std::string visible(std::string_view text);

/// Returns whether a text is UTF-8.
bool is_utf8(std::string_view text);

}  // namespace torchbook::importing
