// Tests the number format that all elements of a floating-point tensor share.
#include <gtest/gtest.h>
#include <torchbook/pyrepr/tensor.h>

#include <cmath>
#include <limits>
#include <locale>
#include <string>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

using namespace torchbook::test;

TEST(FloatInfinity, StandsUnmeasuredAmongWholeNumbers) {
  EXPECT_REPR("torch.tensor([1., inf])", f32({1, kInf}), "tensor([1., inf])");
  EXPECT_REPR("torch.tensor([1., inf, nan, -inf])", f32({1, kInf, kNan, -kInf}),
              "tensor([1., inf, nan, -inf])");
  EXPECT_REPR("torch.tensor([100., inf, -2.])", f32({100, kInf, -2}), "tensor([100.,  inf,  -2.])");
  EXPECT_REPR("torch.tensor([1000., inf, nan, 2.])", f32({1000, kInf, kNan, 2}),
              "tensor([1000.,   inf,   nan,    2.])");
}

TEST(FloatInfinity, IsPaddedToTheWidthOfTheMeasuredNumbers) {
  EXPECT_REPR("torch.tensor([0.5, inf, nan, -inf])", f32({0.5, kInf, kNan, -kInf}),
              "tensor([0.5000,    inf,    nan,   -inf])");
  EXPECT_REPR("torch.tensor([-0.5, inf, nan, -inf])", f32({-0.5, kInf, kNan, -kInf}),
              "tensor([-0.5000,     inf,     nan,    -inf])");
  EXPECT_REPR("torch.tensor([1e-9, inf, nan, -inf])", f32({1e-9f, kInf, kNan, -kInf}),
              "tensor([1.0000e-09,        inf,        nan,       -inf])");
}

TEST(FloatInfinity, MasksAMatrix) {
  EXPECT_REPR("torch.tensor([[0.25, -inf, -inf], [0.5, 1.75, -inf], [2., 3., 4.]])",
              f32({0.25, -kInf, -kInf, 0.5, 1.75, -kInf, 2, 3, 4}).view({3, 3}),
              "tensor([[0.2500,   -inf,   -inf],\n"
              "        [0.5000, 1.7500,   -inf],\n"
              "        [2.0000, 3.0000, 4.0000]])");
  EXPECT_REPR("torch.ones(2, 2).masked_fill(torch.ones(2, 2).triu(1).bool(), -inf)",
              at::ones({2, 2}).masked_fill(at::ones({2, 2}).triu(1).to(at::kBool), -kInf),
              "tensor([[1., -inf],\n"
              "        [1., 1.]])");
}

TEST(FloatNan, HasNoSign) {
  EXPECT_REPR("torch.tensor([math.copysign(nan, -1.), nan])", f32({std::copysign(kNan, -1.0f), kNan}),
              "tensor([nan, nan])");
  EXPECT_REPR("torch.tensor([math.copysign(nan, -1.), 1.5])", f32({std::copysign(kNan, -1.0f), 1.5}),
              "tensor([   nan, 1.5000])");
  EXPECT_REPR("torch.tensor(math.copysign(nan, -1.))", scalar(std::copysign(kNan, -1.0f)), "tensor(nan)");
}

TEST(FloatNothingMeasured, IsWholeOfWidthOneAndNeverScientific) {
  EXPECT_REPR("torch.zeros(2)", at::zeros({2}), "tensor([0., 0.])");
  EXPECT_REPR("torch.tensor([nan, 0., -0., inf])", f32({kNan, 0, -0.0f, kInf}),
              "tensor([nan, 0., -0., inf])");
  EXPECT_REPR("torch.tensor([-inf])", f32({-kInf}), "tensor([-inf])");
  EXPECT_REPR("torch.tensor(nan)", scalar(kNan), "tensor(nan)");
  EXPECT_REPR("torch.tensor(-0.)", scalar(-0.0f), "tensor(-0.)");
}

TEST(FloatZero, IsNotMeasured) {
  EXPECT_REPR("torch.tensor([0.5, -0.])", f32({0.5, -0.0f}), "tensor([0.5000, -0.0000])");
  EXPECT_REPR("torch.tensor([1., -0.])", f32({1, -0.0f}), "tensor([1., -0.])");
  EXPECT_REPR("torch.tensor([-1., -0., 0.])", f32({-1, -0.0f, 0}), "tensor([-1., -0.,  0.])");
  EXPECT_REPR("torch.tensor([1e10, 0., -0.])", f32({1e10f, 0, -0.0f}),
              "tensor([1.0000e+10, 0.0000e+00, -0.0000e+00])");
  EXPECT_REPR("torch.tensor([0., 1000., 1.])", f32({0, 1000, 1}), "tensor([   0., 1000.,    1.])");
}

TEST(FloatSign, HasNoColumnUnlessAMeasuredValueIsNegative) {
  EXPECT_REPR("torch.tensor([1.5, 2.5])", f32({1.5, 2.5}), "tensor([1.5000, 2.5000])");
  EXPECT_REPR("torch.tensor([1.5, -2.5])", f32({1.5, -2.5}), "tensor([ 1.5000, -2.5000])");
  EXPECT_REPR("torch.tensor([-1.5, 22.5])", f32({-1.5, 22.5}), "tensor([-1.5000, 22.5000])");
  EXPECT_REPR("torch.tensor([-10., 100.])", f32({-10, 100}), "tensor([-10., 100.])");
  EXPECT_REPR("torch.tensor([-0.0001, 0.5])", f32({-0.0001f, 0.5}), "tensor([-1.0000e-04,  5.0000e-01])");
}

TEST(FloatWhole, WritesADotAndMeasuresIt) {
  EXPECT_REPR("torch.ones(3)", at::ones({3}), "tensor([1., 1., 1.])");
  EXPECT_REPR("torch.tensor([1., 20., 300.])", f32({1, 20, 300}), "tensor([  1.,  20., 300.])");
  EXPECT_REPR("torch.tensor([1., 2.5])", f32({1, 2.5}), "tensor([1.0000, 2.5000])");
  EXPECT_REPR("torch.tensor(7.)", scalar(7.0f), "tensor(7.)");
  EXPECT_REPR("torch.tensor([16777216., 16777217.])", f32({16777216.0f, 16777217.0f}),
              "tensor([16777216., 16777216.])");
}

TEST(FloatRatio, TurnsScientificAboveAThousand) {
  EXPECT_REPR("torch.tensor([1., 1000.])", f32({1, 1000}), "tensor([   1., 1000.])");
  EXPECT_REPR("torch.tensor([1., 1001.])", f32({1, 1001}), "tensor([1.0000e+00, 1.0010e+03])");
  EXPECT_REPR("torch.tensor([-1., 1001.])", f32({-1, 1001}), "tensor([-1.0000e+00,  1.0010e+03])");
  EXPECT_REPR("torch.tensor([0.5, 500.])", f32({0.5, 500}), "tensor([  0.5000, 500.0000])");
  EXPECT_REPR("torch.tensor([0.5, 500.5])", f32({0.5, 500.5}), "tensor([5.0000e-01, 5.0050e+02])");
  EXPECT_REPR("torch.tensor([0.001, 1.], dtype=torch.float64)", f64({0.001, 1}),
              "tensor([0.0010, 1.0000], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([0.1, 100.])", f32({0.1f, 100}), "tensor([  0.1000, 100.0000])");
  EXPECT_REPR("torch.tensor([0.01, 10.])", f32({0.01f, 10}), "tensor([1.0000e-02, 1.0000e+01])");
  EXPECT_REPR("torch.tensor([0.01, 10.], dtype=torch.float64)", f64({0.01, 10}),
              "tensor([ 0.0100, 10.0000], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([0.001, 1.])", f32({0.001f, 1}), "tensor([0.0010, 1.0000])");
}

TEST(FloatLargest, TurnsScientificAboveAHundredMillion) {
  EXPECT_REPR("torch.tensor([1e8])", f32({1e8f}), "tensor([100000000.])");
  EXPECT_REPR("torch.tensor([100000008.])", f32({100000008}), "tensor([1.0000e+08])");
  EXPECT_REPR("torch.tensor([-1e8])", f32({-1e8f}), "tensor([-100000000.])");
  EXPECT_REPR("torch.tensor([-100000008.])", f32({-100000008}), "tensor([-1.0000e+08])");
  EXPECT_REPR("torch.tensor([100000000.5], dtype=torch.float64)", f64({100000000.5}),
              "tensor([1.0000e+08], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([99999999.5], dtype=torch.float64)", f64({99999999.5}),
              "tensor([99999999.5000], dtype=torch.float64)");
}

TEST(FloatSmallest, TurnsScientificBelowTheDoubleOneTenThousandth) {
  EXPECT_REPR("torch.tensor([1e-4])", f32({1e-4f}), "tensor([1.0000e-04])");
  EXPECT_REPR("torch.tensor([1e-4], dtype=torch.float64)", f64({1e-4}),
              "tensor([0.0001], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([-1e-4], dtype=torch.float64)", f64({-1e-4}),
              "tensor([-0.0001], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([9.999999e-5], dtype=torch.float64)", f64({9.999999e-5}),
              "tensor([1.0000e-04], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([0.00010001])", f32({0.00010001f}), "tensor([0.0001])");
}

TEST(FloatScientific, IsPaddedToTheWidestExponent) {
  EXPECT_REPR("torch.tensor([1e-200, 1.], dtype=torch.float64)", f64({1e-200, 1}),
              "tensor([1.0000e-200,  1.0000e+00], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([1., 1e200], dtype=torch.float64)", f64({1, 1e200}),
              "tensor([ 1.0000e+00, 1.0000e+200], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([-1e-200, 1e200, 3.], dtype=torch.float64)", f64({-1e-200, 1e200, 3}),
              "tensor([-1.0000e-200,  1.0000e+200,   3.0000e+00], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([-1., 1e200], dtype=torch.float64)", f64({-1, 1e200}),
              "tensor([-1.0000e+00, 1.0000e+200], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([9.99996e-100, 1.], dtype=torch.float64)", f64({9.99996e-100, 1}),
              "tensor([1.0000e-99, 1.0000e+00], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([9.99996e99, 1.], dtype=torch.float64)", f64({9.99996e99, 1}),
              "tensor([1.0000e+100,  1.0000e+00], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([1e-5, -2e-5, 0., nan, inf])", f32({1e-5f, -2e-5f, 0, kNan, kInf}),
              "tensor([ 1.0000e-05, -2.0000e-05,  0.0000e+00,         nan,         inf])");
}

TEST(FloatExtremes, ArePrinted) {
  constexpr float tiny = std::numeric_limits<float>::denorm_min();
  constexpr float huge = std::numeric_limits<float>::max();
  EXPECT_REPR("torch.tensor([2.**-149])", f32({tiny}), "tensor([1.4013e-45])");
  EXPECT_REPR("torch.tensor([torch.finfo(torch.float32).max, torch.finfo(torch.float32).min])",
              f32({huge, -huge}), "tensor([ 3.4028e+38, -3.4028e+38])");
  EXPECT_REPR("torch.tensor([torch.finfo(torch.float32).tiny])", f32({std::numeric_limits<float>::min()}),
              "tensor([1.1755e-38])");
  EXPECT_REPR("torch.tensor([5e-324, -5e-324], dtype=torch.float64)", f64({5e-324, -5e-324}),
              "tensor([ 4.9407e-324, -4.9407e-324], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([5e-324, 1.7976931348623157e308], dtype=torch.float64)",
              f64({5e-324, 1.7976931348623157e308}),
              "tensor([4.9407e-324, 1.7977e+308], dtype=torch.float64)");
}

TEST(FloatRounding, IsThatOfTheExactBinaryValueWithTiesToEven) {
  EXPECT_REPR("torch.tensor([0.03125, 0.09375])", f32({0.03125, 0.09375}), "tensor([0.0312, 0.0938])");
  EXPECT_REPR("torch.tensor([0.00005, 0.00015, 0.5], dtype=torch.float64)", f64({0.00005, 0.00015, 0.5}),
              "tensor([5.0000e-05, 1.5000e-04, 5.0000e-01], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([1.00005, 1.00015], dtype=torch.float64)", f64({1.00005, 1.00015}),
              "tensor([1.0001, 1.0002], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([1.00005, 1.00015])", f32({1.00005f, 1.00015f}), "tensor([1.0000, 1.0001])");
  EXPECT_REPR("torch.tensor([1.000030517578125, 1.000091552734375])",
              f32({1.000030517578125, 1.000091552734375}), "tensor([1.0000, 1.0001])");
  EXPECT_REPR("torch.tensor([9.99995, 1.5])", f32({9.99995f, 1.5}), "tensor([10.0000,  1.5000])");
  EXPECT_REPR("torch.tensor([9.99996, 1.5])", f32({9.99996f, 1.5}), "tensor([10.0000,  1.5000])");
  EXPECT_REPR("torch.tensor([99999.96875, 2000.25])", f32({99999.96875, 2000.25}),
              "tensor([99999.9688,  2000.2500])");
}

/// A locale that writes 1234.5 as 1.234,5.
struct GermanPunctuation : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(FloatLocale, IsIgnored) {
  const std::locale before = std::locale::global(std::locale(std::locale(), new GermanPunctuation));
  EXPECT_REPR("torch.tensor([1234.5, 12345.])", f32({1234.5, 12345}), "tensor([ 1234.5000, 12345.0000])");
  EXPECT_REPR("torch.zeros(2000, 0)", at::zeros({2000, 0}), "tensor([], size=(2000, 0))");
  std::locale::global(before);
}

TEST(FloatZeroD, HasItsOwnFormat) {
  EXPECT_REPR("torch.tensor(3.14159)", scalar(3.14159f), "tensor(3.1416)");
  EXPECT_REPR("torch.tensor(-1e-6)", scalar(-1e-6f), "tensor(-1.0000e-06)");
  EXPECT_REPR("torch.tensor(123456.789)", scalar(123456.789f), "tensor(123456.7891)");
  EXPECT_REPR("torch.tensor(inf)", scalar(kInf), "tensor(inf)");
}

TEST(FloatRows, ShareOneFormat) {
  EXPECT_REPR("torch.tensor([[1., 2.], [3., 0.5]])", f32({1, 2, 3, 0.5}).view({2, 2}),
              "tensor([[1.0000, 2.0000],\n"
              "        [3.0000, 0.5000]])");
  EXPECT_REPR("torch.tensor([[1., 10.], [100., -1000.]])", f32({1, 10, 100, -1000}).view({2, 2}),
              "tensor([[    1.,    10.],\n"
              "        [  100., -1000.]])");
  EXPECT_REPR("torch.tensor([[1., 2.], [3., 1e-5]])", f32({1, 2, 3, 1e-5f}).view({2, 2}),
              "tensor([[1.0000e+00, 2.0000e+00],\n"
              "        [3.0000e+00, 1.0000e-05]])");
}

}  // namespace
}  // namespace torchbook::pyrepr
