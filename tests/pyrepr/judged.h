// Expectations that PyTorch itself confirms: judge.py evaluates each one's Python expression and compares.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

namespace torchbook::test {

// Both append one JSON line to the file that the environment variable TORCHBOOK_JUDGE_OUT names, where it is
// set.

/// For the judge: the Python expression is this text.
void record_text(std::string_view python, std::string_view expected);

/// For the judge: the Python expression raises this exception.
void record_raises(std::string_view python, std::string_view exception);

}  // namespace torchbook::test

/// Expects `actual` to be the literal `expected`, and has the judge confirm that `python` is that text.
#define EXPECT_PYTHON(python, actual, expected)         \
  do {                                                  \
    torchbook::test::record_text((python), (expected)); \
    EXPECT_EQ((actual), (expected)) << (python);        \
  } while (false)

/// Expects `statement` to throw `exception`, and has the judge confirm that `python` raises
/// `python_exception`.
#define EXPECT_PYTHON_RAISES(python, python_exception, statement, exception) \
  do {                                                                       \
    torchbook::test::record_raises((python), (python_exception));            \
    EXPECT_THROW(static_cast<void>(statement), exception) << (python);       \
  } while (false)
