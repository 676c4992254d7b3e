// Runs programs in a shell and keeps their output.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace torchbook::test {

/// The exit code and the output of a command.
struct Finished {
  int code = -1;         ///< the exit code, or 128 plus the number of the signal that killed it
  std::string out;       ///< stdout
  std::string err;       ///< stderr without the lines that a program writes while it waits for another one
  std::string progress;  ///< these lines, of the form `torchbook: 2 s, waiting for …`
};

/// Runs a POSIX shell command in a temporary folder, to which it may write. `$BIN` is the folder of
/// torchbook's programs. The environment has neither NO_COLOR nor CLICOLOR_FORCE.
Finished shell(const std::string& command);

/// Expects a command to exit with code 2 and to write nothing to stdout and one line with `message` to
/// stderr.
void expect_refused(const std::string& command, const std::string& message);

/// Expects `text` to contain `part`.
void expect_part(const std::string& text, const std::string& part);

/// Expects `text` to end with `end`.
void expect_end(const std::string& text, const std::string& end);

/// Returns the number of lines of a text. A last line without a newline counts.
std::size_t line_count(std::string_view text);

/// Returns the content of a file. The running test fails if it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Ends the running test because this machine cannot run it: skipped, or failed in CI, where every test must
/// run.
#define TORCHBOOK_CANNOT_TEST(why)                                     \
  do {                                                                 \
    if (std::getenv("CI") != nullptr) FAIL() << "NOT TESTED: " << why; \
    GTEST_SKIP() << "NOT TESTED: " << why;                             \
  } while (false)

/// Returns the text of a golden file.
std::string golden_text(const std::string& slug);

}  // namespace torchbook::test
