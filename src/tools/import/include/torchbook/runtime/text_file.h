// Reads text as Python's open() does.
#pragma once

#include <string>

namespace torchbook {

/// Returns Python's `open(path).read()`, with every line ending replaced by `\n`. A relative path
/// starts at the current folder. Throws std::runtime_error if there is no such file, or if it is
/// larger than 1 GiB.
std::string read_text(const std::string& path);

}  // namespace torchbook
