// Reads the commands of a CMakeLists.txt.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::notebook {

/// A call such as `torchbook_add_notebook(one)`.
struct CMakeCommand {
  std::string name;                      ///< in small letters, because CMake ignores the case
  std::vector<std::string> arguments{};  ///< without their quotes; variables stay
  std::size_t begin = 0;                 ///< the offset of its name
  std::size_t end = 0;                   ///< the offset of its closing bracket
};

/// Returns the commands of CMake code, without those in comments and strings. Stops at the first syntax
/// error. Takes linear time.
std::vector<CMakeCommand> cmake_commands(std::string_view text);

}  // namespace torchbook::notebook
