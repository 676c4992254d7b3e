// Writes golden files.
#pragma once

#include <torchbook/golden/golden.h>

#include <string>

namespace torchbook::golden {

/// Returns the text of a golden file, which parse_golden() reads back as the same golden.
std::string golden_text(const Golden& golden);

}  // namespace torchbook::golden
