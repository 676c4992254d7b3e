// Makes a notebook's text fit into comments, literals and messages.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::importing {

/// Returns the text as UTF-8, with a placeholder such as `<U+202E>` for each character that is
/// notebook::is_invisible().
std::string visible(std::string_view text);

/// Returns whether a text is UTF-8.
bool is_utf8(std::string_view text);

}  // namespace torchbook::importing
