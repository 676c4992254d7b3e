// Tests when printed numbers agree, and how far apart they are.
#include <gtest/gtest.h>
#include <torchbook/golden/printed_number.h>

#include <cmath>
#include <limits>
#include <string>

namespace torchbook::golden {
namespace {

struct Numbers {
  std::string one;
  std::string other;
  bool agree;
};

class Agreement : public testing::TestWithParam<Numbers> {};

TEST_P(Agreement, IsSymmetric) {
  const PrintedNumber one(GetParam().one);
  const PrintedNumber other(GetParam().other);
  EXPECT_EQ(one.agrees_with(other), GetParam().agree) << GetParam().one << " " << GetParam().other;
  EXPECT_EQ(other.agrees_with(one), GetParam().agree) << GetParam().one << " " << GetParam().other;
}

INSTANTIATE_TEST_SUITE_P(
    SamePlaces, Agreement,
    testing::Values(Numbers{"0.4321", "0.4321", true}, Numbers{"0.4321", "0.4322", false},
                    Numbers{"1.0000", "-1.0000", false}, Numbers{"-0.0000", "0.0000", true},
                    Numbers{"0.9999", "1.0000", false}, Numbers{"1.0000e+00", "1.0001e+00", false},
                    Numbers{"9.9999e-01", "1.0000e+00", true}, Numbers{"9.9994e-01", "1.0000e+00", false}));

INSTANTIATE_TEST_SUITE_P(
    CoarserPlace, Agreement,
    testing::Values(Numbers{"1.2346e-01", "0.1235", true}, Numbers{"1.2344e-01", "0.1235", false},
                    Numbers{"0.125", "0.12", true}, Numbers{"0.125", "0.13", true},
                    Numbers{"0.125", "0.11", false}, Numbers{"0.1251", "0.12", false},
                    Numbers{"0.1249", "0.13", false}, Numbers{"-0.125", "-0.13", true},
                    Numbers{"-0.125", "0.12", false}, Numbers{"0.0000", "4.1234e-06", true},
                    Numbers{"0.0000", "5.0001e-05", false}, Numbers{"0.0000", "-4.9999e-05", true},
                    Numbers{"1.0000e+10", "10000400000.0", true},
                    Numbers{"1.0000e+10", "10000600000.0", false}, Numbers{"1e+10", "1.0000e+10", true},
                    Numbers{"0.1", "0.10000000149011612", true}, Numbers{"0.99996", "1.0000", true},
                    Numbers{"1e-300", "0.0", true}, Numbers{"1e+300", "1e-300", false}));

INSTANTIATE_TEST_SUITE_P(
    Exact, Agreement,
    testing::Values(Numbers{"1.", "1.0000", true}, Numbers{"1.", "1.4000", false},
                    Numbers{"1.", "1.0001", false}, Numbers{"1.", "1.", true}, Numbers{"1.", "2.", false},
                    Numbers{"-0.", "0.", true}, Numbers{"0.", "-0.0000", true},
                    Numbers{"12346789.", "1.2347e+07", true}, Numbers{"12346789.", "1.2346e+07", false},
                    Numbers{"1", "1", true}, Numbers{"1", "2", false}, Numbers{"1", "1.", false},
                    Numbers{"1", "1.0000", false}, Numbers{"10", "1e+01", false}, Numbers{"000", "00", false},
                    Numbers{"9223372036854775807", "9223372036854775806", false}));

INSTANTIATE_TEST_SUITE_P(NotFinite, Agreement,
                         testing::Values(Numbers{"nan", "nan", true}, Numbers{"inf", "inf", true},
                                         Numbers{"inf", "-inf", false}, Numbers{"nan", "inf", false},
                                         Numbers{"nan", "0.", false}, Numbers{"inf", "1e+308", false}));

TEST(Agreement, IsExactWhateverTheLength) {
  const std::string long_one = "0." + std::string(500, '1');
  EXPECT_TRUE(PrintedNumber(long_one).agrees_with(PrintedNumber(long_one + "4")));
  EXPECT_FALSE(PrintedNumber(long_one).agrees_with(PrintedNumber(long_one + "6")));
}

TEST(Distance, IsThatOfTheDigits) {
  const auto distance = [](const char* one, const char* other) {
    return PrintedNumber(one).distance(PrintedNumber(other));
  };
  EXPECT_EQ(distance("0.4321", "0.4322"), 0.0001);
  EXPECT_EQ(distance("4.6668", "4.6667"), 0.0001);
  EXPECT_EQ(distance("-1.5", "1.5"), 3.0);
  EXPECT_EQ(distance("-9.5", "9.5"), 19.0);
  EXPECT_EQ(distance("9223372036854775807", "9223372036854775806"), 1.0);
  EXPECT_EQ(distance("1e+20", "1.5"), 99999999999999999998.5);
  EXPECT_EQ(distance("0.5", "0.50"), 0.0);
  EXPECT_EQ(distance("inf", "1.5"), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(distance("nan", "1.5")));
}

TEST(HalfUnit, IsThatOfTheLastPlace) {
  const auto half_unit = [](const char* text) { return PrintedNumber(text).half_unit(); };
  EXPECT_EQ(half_unit("0.12"), 0.005);
  EXPECT_EQ(half_unit("-1.20e+03"), 5.0);
  for (const char* exact : {"3", "3.", "inf", "nan"}) EXPECT_EQ(half_unit(exact), 0.0) << exact;
}

TEST(Value, IsTheNearestDouble) {
  EXPECT_EQ(PrintedNumber("-1.2346e-01").value(), -0.12346);
  EXPECT_EQ(PrintedNumber("+2.").value(), 2.0);
  EXPECT_EQ(PrintedNumber("-inf").value(), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(PrintedNumber("nan").value()));
  EXPECT_TRUE(std::signbit(PrintedNumber("-0.").value()));
  EXPECT_EQ(PrintedNumber("1e999").value(), std::numeric_limits<double>::infinity());
  EXPECT_EQ(PrintedNumber("1e-999").value(), 0.0);
  EXPECT_EQ(PrintedNumber("0." + std::string(400, '0') + "1").value(), 0.0);
  EXPECT_EQ(PrintedNumber(std::string(400, '9')).value(), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace torchbook::golden
