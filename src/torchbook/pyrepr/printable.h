// Which characters Python shows as they are.
#pragma once

namespace torchbook::pyrepr {

/// Python's `str.isprintable` of one character (Unicode 14, the one of Python 3.11).
bool is_printable(char32_t character);

}  // namespace torchbook::pyrepr
