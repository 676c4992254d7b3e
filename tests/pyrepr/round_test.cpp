// Tests Python's round.
#include <gtest/gtest.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "judged.h"

namespace torchbook::pyrepr {
namespace {

TEST(PythonRound, RoundsTheExactBinaryValue) {
  EXPECT_REPR("round(2.675, 2)", round(2.675, 2), "2.67");
  EXPECT_REPR("round(1.005, 2)", round(1.005, 2), "1.0");
  EXPECT_REPR("round(0.15, 1)", round(0.15, 1), "0.1");
  EXPECT_REPR("round(0.25, 1)", round(0.25, 1), "0.2");
  EXPECT_REPR("round(0.35, 1)", round(0.35, 1), "0.3");
  EXPECT_REPR("round(-2.675, 2)", round(-2.675, 2), "-2.67");
}

TEST(PythonRound, RoundsBeforeThePointWithTiesToEven) {
  const auto hundreds = [](double value) { return round(value, -2); };
  EXPECT_PYTHON(
      "repr([round(x, -2) for x in (1249.9, 1250., 1250.5, 1260., 1350.)])",
      repr(std::vector{hundreds(1249.9), hundreds(1250), hundreds(1250.5), hundreds(1260), hundreds(1350)}),
      "[1200.0, 1200.0, 1300.0, 1300.0, 1400.0]");
  EXPECT_PYTHON("repr([round(x, -2) for x in (1., 50., 51., 951., 9996., -151., -4.)])",
                repr(std::vector{hundreds(1), hundreds(50), hundreds(51), hundreds(951), hundreds(9996),
                                 hundreds(-151), hundreds(-4)}),
                "[0.0, 0.0, 100.0, 1000.0, 10000.0, -200.0, -0.0]");
  EXPECT_REPR("round(123456., -3)", round(123456.0, -3), "123000.0");
}

TEST(PythonRound, TakesEveryNumberOfDigits) {
  EXPECT_PYTHON("repr([round(5e-324, 323), round(5e-324, 324)])",
                repr(std::vector{round(5e-324, 323), round(5e-324, 324)}), "[0.0, 5e-324]");
  EXPECT_PYTHON(
      "repr([round(6e307, -308), round(4e307, -308), round(1.7e308, -309), round(-1.7e308, -309)])",
      repr(std::vector{round(6e307, -308), round(4e307, -308), round(1.7e308, -309), round(-1.7e308, -309)}),
      "[1e+308, 0.0, 0.0, -0.0]");
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_PYTHON("repr([round(inf, -2), round(-inf, -400), round(inf - inf, -2)])",
                repr(std::vector{round(inf, -2), round(-inf, -400), round(inf - inf, -2)}),
                "[inf, -inf, nan]");
  EXPECT_PYTHON_RAISES("round(1.7e308, -308)", "OverflowError", round(1.7e308, -308), std::overflow_error);
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

}  // namespace
}  // namespace torchbook::pyrepr
