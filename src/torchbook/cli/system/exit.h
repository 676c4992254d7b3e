// Defines the promises of the command line: exit codes, and the errors that lead to them.
#pragma once

#include <stdexcept>
#include <string_view>

namespace torchbook::cli {

/// The exit codes of all torchbook programs.
enum ExitCode : int {
  exit_equal = 0,      ///< every output equals its golden
  exit_different = 1,  ///< something differs
  exit_usage = 2,      ///< wrong usage, missing input, output that cannot be written
  exit_threw = 3,      ///< a cell threw
};

/// Wrong usage, missing input or unwritable output. what() is the one line that the user sees. The exit code
/// is 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The error message if memory runs out. The exit code is that of UsageError.
inline constexpr std::string_view memory_ran_out =
    "the memory ran out; smaller inputs or fewer notebooks at once need less";

}  // namespace torchbook::cli
