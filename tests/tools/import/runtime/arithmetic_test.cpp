// Tests that // and % of floats and ints are Python's. The numbers are Python's.
#include <gtest/gtest.h>
#include <torchbook/runtime/arithmetic.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace torchbook::python {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Two floats, and what Python's // and % make of them.
struct Division {
  double a;
  double b;
  double quotient;
  double rest;
};

constexpr Division divisions[] = {{7.5, 2.0, 3.0, 1.5},
                                  {-7.5, 2.0, -4.0, 0.5},
                                  {7.5, -2.0, -4.0, -0.5},
                                  {-7.5, -2.0, 3.0, -1.5},
                                  {1.0, 0.1, 9.0, 0.09999999999999995},
                                  {-0.0, 2.0, -0.0, 0.0},
                                  {0.0, -2.0, -0.0, -0.0},
                                  {1e300, 3.0, 3.3333333333333335e+299, 0.0},
                                  {5.0, infinity, 0.0, 5.0},
                                  {-5.0, infinity, -1.0, infinity},
                                  {2.0, -0.7, -3.0, -0.09999999999999987},
                                  {6.0, -3.0, -2.0, -0.0}};

TEST(WholeNumbers, DivideFloatsAsPythonDoes) {
  for (const auto& [a, b, quotient, rest] : divisions) {
    EXPECT_EQ(floor_divide(a, b), quotient) << a << " // " << b;
    EXPECT_EQ(std::signbit(floor_divide(a, b)), std::signbit(quotient)) << a << " // " << b;
    EXPECT_EQ(python::remainder(a, b), rest) << a << " % " << b;
    EXPECT_EQ(std::signbit(python::remainder(a, b)), std::signbit(rest)) << a << " % " << b;
  }
}

TEST(WholeNumbers, DivideIntsAsPythonDoes) {
  const auto quotient = [](std::int64_t a, std::int64_t b) { return floor_divide(a, b); };
  const auto rest = [](std::int64_t a, std::int64_t b) { return python::remainder(a, b); };
  EXPECT_EQ(quotient(7, 2), 3);
  EXPECT_EQ(rest(7, 2), 1);
  EXPECT_EQ(quotient(-7, 2), -4);
  EXPECT_EQ(rest(-7, 2), 1);
  EXPECT_EQ(quotient(7, -2), -4);
  EXPECT_EQ(rest(7, -2), -1);
  EXPECT_EQ(quotient(-7, -2), 3);
  EXPECT_EQ(rest(-7, -2), -1);
}

TEST(WholeNumbers, HaveTheRemainderOfALargePower) {
  EXPECT_EQ(power_modulo(11, 21, 1000), 211);
  EXPECT_EQ(power_modulo(-7, 21, 13), 5);
  EXPECT_EQ(power_modulo(-7, 20, -13), -10);
  EXPECT_EQ(power_modulo(0, 0, 1), 0);
  EXPECT_EQ(power_modulo(9223372036854775807, 3, 9223372036854775783), 13824);
  EXPECT_THROW(power_modulo(2, -1, 3), std::overflow_error);
}

}  // namespace
}  // namespace torchbook::python
