// Tests Python's round.
#include <gtest/gtest.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

using namespace torchbook::test;

TEST(PythonRound, RoundsTheExactBinaryValue) {
  EXPECT_REPR("round(2.675, 2)", round(2.675, 2), "2.67");
  EXPECT_REPR("round(1.005, 2)", round(1.005, 2), "1.0");
  EXPECT_REPR("round(0.15, 1)", round(0.15, 1), "0.1");
  EXPECT_REPR("round(0.25, 1)", round(0.25, 1), "0.2");
  EXPECT_REPR("round(0.35, 1)", round(0.35, 1), "0.3");
  EXPECT_REPR("round(-2.675, 2)", round(-2.675, 2), "-2.67");
}

TEST(PythonRound, BreaksTiesToEven) {
  EXPECT_REPR("round(0.5, 0)", round(0.5, 0), "0.0");
  EXPECT_REPR("round(1.5, 0)", round(1.5, 0), "2.0");
  EXPECT_REPR("round(2.5, 0)", round(2.5, 0), "2.0");
  EXPECT_REPR("round(-0.5, 0)", round(-0.5, 0), "-0.0");
  EXPECT_REPR("round(0.125, 2)", round(0.125, 2), "0.12");
}

TEST(PythonRound, KeepsAnIntAnInt) {
  const auto rounded = [](std::int64_t value, int digits) { return repr(round(value, digits)); };
  EXPECT_REPR("round(7, 1)", round(7, 1), "7");
  EXPECT_PYTHON("repr(round(12345, -2))", rounded(12345, -2), "12300");
  EXPECT_PYTHON("repr([round(n, -1) for n in (14, 15, 16, 25, -25, -35)])",
                repr(std::vector{round(14, -1), round(15, -1), round(16, -1), round(25, -1), round(-25, -1),
                                 round(-35, -1)}),
                "[10, 20, 20, 20, -20, -40]");
  EXPECT_PYTHON("repr(round(9007199254740993, 0))", rounded(9007199254740993, 0), "9007199254740993");
  EXPECT_PYTHON("repr([round(9223372036854775807, -18), round(5 * 10**18, -19), round(5 * 10**18, -20)])",
                repr(std::vector{round(std::int64_t{9223372036854775807}, -18),
                                 round(std::int64_t{5000000000000000000}, -19),
                                 round(std::int64_t{5000000000000000000}, -20)}),
                "[9000000000000000000, 0, 0]");
  EXPECT_PYTHON("repr(round(-9223372036854775808, -2))", rounded(-9223372036854775807 - 1, -2),
                "-9223372036854775800");
  EXPECT_THROW(rounded(-9223372036854775807 - 1, -1), std::overflow_error);  // Python: -9223372036854775810
}

TEST(PythonRound, TakesNegativeDigits) {
  EXPECT_REPR("round(1234.5, -2)", round(1234.5, -2), "1200.0");
  EXPECT_REPR("round(25.0, -1)", round(25.0, -1), "20.0");
  EXPECT_REPR("round(35.0, -1)", round(35.0, -1), "40.0");
  EXPECT_REPR("round(5.0, -1)", round(5.0, -1), "0.0");
  EXPECT_REPR("round(50.1, -2)", round(50.1, -2), "100.0");
  EXPECT_REPR("round(-49.0, -2)", round(-49.0, -2), "-0.0");
  EXPECT_REPR("round(1e300, -400)", round(1e300, -400), "0.0");
  EXPECT_REPR("round(1.6e308, -300)", round(1.6e308, -300), "1.6e+308");
}

TEST(PythonRound, LeavesAValueThatHasNoMoreDigits) {
  EXPECT_REPR("round(0.1, 30)", round(0.1, 30), "0.1");
  EXPECT_REPR("round(5e-324, 400)", round(5e-324, 400), "5e-324");
  EXPECT_REPR("round(5e-324, 323)", round(5e-324, 323), "0.0");
  EXPECT_REPR("round(1e22, 2)", round(1e22, 2), "1e+22");
  EXPECT_REPR("round(3.0, 2)", round(3.0, 2), "3.0");
}

TEST(PythonRound, HandsOnInfinityAndNan) {
  EXPECT_REPR("round(inf, 2)", round(kInf, 2), "inf");
  EXPECT_REPR("round(-inf, -2)", round(-kInf, -2), "-inf");
  EXPECT_REPR("round(nan, 2)", round(kNan, 2), "nan");
  EXPECT_REPR("round(-0.0, 2)", round(-0.0, 2), "-0.0");
  EXPECT_REPR("round(-0.001, 2)", round(-0.001, 2), "-0.0");
}

}  // namespace
}  // namespace torchbook::pyrepr
