// Breaks long lines of C++.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace torchbook::translate {

/// Returns a line in pieces of at most 110 columns, if it has places to break: behind commas and `=`, as far
/// outside of brackets as possible. The first piece keeps its indent; the others have four columns more.
std::vector<std::string> wrapped(const std::string& line);

/// Returns all lines in such pieces. Behind some of them stands a comment, which is left out where it has no
/// room. Comments of consecutive lines stand below each other, as clang-format has them. `comments` are by
/// the position of their line.
std::vector<std::string> wrapped(const std::vector<std::string>& lines,
                                 const std::map<std::size_t, std::string>& comments);

}  // namespace torchbook::translate
