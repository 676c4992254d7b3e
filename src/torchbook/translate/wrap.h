// Breaks long lines of C++.
#pragma once

#include <string>
#include <vector>

namespace torchbook::translate {

/// Returns a line in pieces of at most 110 columns, if it has places to break: behind commas and `=`, as far
/// outside of brackets as possible. The first piece keeps its indent; the others have four columns more.
std::vector<std::string> wrapped(const std::string& line);

}  // namespace torchbook::translate
