// Defines expectations that PyTorch itself confirms: judge.py evaluates their Python expressions and
// compares.
#pragma once

#include <gtest/gtest.h>

#include <string_view>

namespace torchbook::test {

// Both functions append a JSON line to the file that the environment variable TORCHBOOK_JUDGE_OUT names, if
// it is set.

/// Records for the judge that the Python expression evaluates to the text `expected`.
void record_text(std::string_view python, std::string_view expected);

/// Records for the judge that the Python expression raises `exception`.
void record_raises(std::string_view python, std::string_view exception);

}  // namespace torchbook::test

/// Expects `actual` to equal the literal `expected`. The judge confirms that `python` evaluates to that text.
#define EXPECT_PYTHON(python, actual, expected)         \
  do {                                                  \
    torchbook::test::record_text((python), (expected)); \
    EXPECT_EQ((actual), (expected)) << (python);        \
  } while (false)

/// Expects `value` to have the repr `expected`. The judge confirms that `python` has it.
#define EXPECT_REPR(python, value, expected) \
  EXPECT_PYTHON("repr(" python ")", torchbook::pyrepr::repr(value), expected)

/// Expects `statement` to throw `exception`. The judge confirms that `python` raises `python_exception`.
#define EXPECT_PYTHON_RAISES(python, python_exception, statement, exception) \
  do {                                                                       \
    torchbook::test::record_raises((python), (python_exception));            \
    EXPECT_THROW(static_cast<void>(statement), exception) << (python);       \
  } while (false)
