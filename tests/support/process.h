// Runs programs as a shell does and keeps what they wrote.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace torchbook::test {

/// What a command left behind.
struct Finished {
  int code = -1;    ///< the exit code; 128 and the signal's number where one ended it
  std::string out;  ///< stdout
  std::string err;  ///< stderr
};

/// Runs a POSIX shell command in a folder of its own, which it may write to and which is gone afterwards.
/// `$BIN` is the folder of torchbook's programs. The environment has neither NO_COLOR nor CLICOLOR_FORCE.
Finished shell(const std::string& command);

/// Expects a command to end with exit code 2, nothing on stdout, and one line on stderr that holds `message`.
void expect_refused(const std::string& command, const std::string& message);

/// Expects a text to hold a part.
void expect_part(const std::string& text, const std::string& part);

/// Expects a text to end so.
void expect_end(const std::string& text, const std::string& end);

/// The number of lines of a text; a last line without a newline counts.
std::size_t line_count(std::string_view text);

/// The whole file; a failure of the running test where it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// A golden file of the tree, as text.
std::string golden_text(const std::string& slug);

}  // namespace torchbook::test
