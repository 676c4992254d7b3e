// What lines_main.cpp calls of lines.cpp, which may be in a shared library.
#pragma once

#include <string>

namespace lines {

/// Records operations in a file.
void record(const std::string& file);

}  // namespace lines
