// Decides which characters Python shows unescaped.
#pragma once

namespace torchbook::pyrepr::inline v1 {

/// Returns Python's `str.isprintable` of one character. The table is that of Unicode 14 (Python 3.11).
bool is_printable(char32_t character);

}  // namespace torchbook::pyrepr::inline v1
