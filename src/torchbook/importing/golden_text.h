// Writes golden files.
#pragma once

#include <torchbook/golden/golden.h>

#include <string>

namespace torchbook::importing {

/// Returns the text of a golden file, in the form that golden::parse_golden() reads. Bits and errors are left
/// out, because a golden file holds none. A slug or a document with a newline cannot be written.
std::string golden_text(const golden::Golden& golden);

}  // namespace torchbook::importing
