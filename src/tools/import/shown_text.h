// Converts a stored output to the form that Jupyter shows.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::importing {

/// Returns a text as Jupyter shows it: a backspace removes the character before it, a carriage return makes
/// the following text overwrite the line, and escape sequences of terminals, such as colours, are removed.
/// Takes linear time.
std::string shown_text(std::string_view text);

}  // namespace torchbook::importing
