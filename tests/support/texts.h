// What tests expect of texts, and the files that they read.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace torchbook::test {

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
