// Tests the effect of each print option, and the threads that it applies to.
#include <gtest/gtest.h>
#include <torch/version.h>
#include <torchbook/pyrepr/options.h>
#include <torchbook/pyrepr/tensor.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

using namespace torchbook::test;

/// Restores the options of the process after each test.
class Options : public testing::Test {
 protected:
  ~Options() override { set_print_options({}); }
};

/// Returns the text of one third under the options in force on a new thread.
std::string third_on_another_thread() {
  std::string text;
  std::thread([&] { text = repr(scalar(1.0f / 3)); }).join();
  return text;
}

TEST(OptionsPrecision, OfNoneWritesNoDotUnlessWhole) {
  EXPECT_PYTHON("repr_with(torch.tensor([1.5, 2.25]), precision=0)", repr(f32({1.5, 2.25}), {.precision = 0}),
                "tensor([2, 2])");
  EXPECT_PYTHON("repr_with(torch.tensor([0.5, 1.5, 2.5, -0.5]), precision=0)",
                repr(f32({0.5, 1.5, 2.5, -0.5}), {.precision = 0}), "tensor([ 0,  2,  2, -0])");
  EXPECT_PYTHON("repr_with(torch.tensor([1., 20.]), precision=0)", repr(f32({1, 20}), {.precision = 0}),
                "tensor([ 1., 20.])");
  EXPECT_PYTHON("repr_with(torch.tensor([1e-5, 1.5, nan]), precision=0)",
                repr(f32({1e-5f, 1.5, kNan}), {.precision = 0}), "tensor([1e-05, 2e+00,   nan])");
  EXPECT_PYTHON("repr_with(torch.tensor([9.5, 1.5]), precision=0)", repr(f32({9.5, 1.5}), {.precision = 0}),
                "tensor([10,  2])");
}

TEST(OptionsPrecision, RoundsTiesToEven) {
  EXPECT_PYTHON("repr_with(torch.tensor([0.25, 0.75, -0.25]), precision=1)",
                repr(f32({0.25, 0.75, -0.25}), {.precision = 1}), "tensor([ 0.2,  0.8, -0.2])");
  EXPECT_PYTHON("repr_with(torch.tensor([0.125, 0.375]), precision=2)",
                repr(f32({0.125, 0.375}), {.precision = 2}), "tensor([0.12, 0.38])");
  EXPECT_PYTHON("repr_with(torch.tensor([2.5e10, 3.5e10]), precision=0)",
                repr(f32({2.5e10f, 3.5e10f}), {.precision = 0}), "tensor([2e+10, 4e+10])");
}

TEST(OptionsPrecision, ShowsTheExactBinaryValueWhenLong) {
  EXPECT_PYTHON("repr_with(torch.tensor([0.1]), precision=8)", repr(f32({0.1f}), {.precision = 8}),
                "tensor([0.10000000])");
  EXPECT_PYTHON("repr_with(torch.tensor([0.1]), precision=17)", repr(f32({0.1f}), {.precision = 17}),
                "tensor([0.10000000149011612])");
  EXPECT_PYTHON("repr_with(torch.tensor([0.1], dtype=torch.float64), precision=17)",
                repr(f64({0.1}), {.precision = 17}), "tensor([0.10000000000000001], dtype=torch.float64)");
  EXPECT_PYTHON("repr_with(torch.tensor([0.1], dtype=torch.float64), precision=60)",
                repr(f64({0.1}), {.precision = 60}),
                "tensor([0.100000000000000005551115123125782702118158340454101562500000],\n"
                "       dtype=torch.float64)");
  EXPECT_PYTHON("repr_with(torch.tensor([1e-30], dtype=torch.float64), precision=40)",
                repr(f64({1e-30}), {.precision = 40}),
                "tensor([1.0000000000000000833364206075859853509313e-30], dtype=torch.float64)");
  EXPECT_PYTHON("repr_with(torch.tensor([0.1]).half(), precision=8)",
                repr(f32({0.1f}).to(at::kHalf), {.precision = 8}),
                "tensor([0.09997559], dtype=torch.float16)");
}

TEST(OptionsPrecision, LeavesWholeNumbersAndIntegersAlone) {
  EXPECT_PYTHON("repr_with(torch.tensor([1., 2.]), precision=8)", repr(f32({1, 2}), {.precision = 8}),
                "tensor([1., 2.])");
  EXPECT_PYTHON("repr_with(torch.tensor([1, 2]), precision=0)", repr(i64({1, 2}), {.precision = 0}),
                "tensor([1, 2])");
}

TEST(OptionsSciMode, DoesNotReachATensorWithoutAMeasuredNumber) {
  EXPECT_PYTHON("repr_with(torch.zeros(2), sci_mode=True)", repr(at::zeros({2}), {.sci_mode = true}),
                "tensor([0., 0.])");
  EXPECT_PYTHON("repr_with(torch.tensor([nan, inf, -0.]), sci_mode=True)",
                repr(f32({kNan, kInf, -0.0f}), {.sci_mode = true}), "tensor([nan, inf, -0.])");
}

TEST(OptionsSciMode, OnOrOffAgreesWithTheAutomaticMode) {
  EXPECT_PYTHON("repr_with(torch.tensor([1e-5, -1.]), sci_mode=True)",
                repr(f32({1e-5f, -1}), {.sci_mode = true}), "tensor([ 1.0000e-05, -1.0000e+00])");
  EXPECT_PYTHON("repr_with(torch.tensor([1.5, -1.]), sci_mode=False)",
                repr(f32({1.5, -1}), {.sci_mode = false}), "tensor([ 1.5000, -1.0000])");
  EXPECT_PYTHON("repr_with(torch.tensor([1., -1.]), sci_mode=False)", repr(f32({1, -1}), {.sci_mode = false}),
                "tensor([ 1., -1.])");
  EXPECT_PYTHON("repr_with(torch.tensor([1, 2]), sci_mode=True)", repr(i64({1, 2}), {.sci_mode = true}),
                "tensor([1, 2])");
}

TEST(OptionsSciMode, OnNeedsNoPaddingWhereItIsTheWiderMode) {
  EXPECT_PYTHON("repr_with(torch.tensor([1.5, 2.5]), sci_mode=True)",
                repr(f32({1.5, 2.5}), {.sci_mode = true}), "tensor([1.5000e+00, 2.5000e+00])");
  EXPECT_PYTHON("repr_with(torch.tensor([1., 20.]), sci_mode=True)", repr(f32({1, 20}), {.sci_mode = true}),
                "tensor([1.0000e+00, 2.0000e+01])");
  EXPECT_PYTHON("repr_with(torch.tensor(7.), sci_mode=True)", repr(scalar(7.0f), {.sci_mode = true}),
                "tensor(7.0000e+00)");
}

TEST(OptionsSciMode, OffWritesAllDigits) {
  EXPECT_PYTHON("repr_with(torch.tensor([123456789012.]), sci_mode=False)",
                repr(f32({123456789012.0f}), {.sci_mode = false}), "tensor([123456790528.])");
  EXPECT_PYTHON("repr_with(torch.tensor([1e30], dtype=torch.float64), sci_mode=False)",
                repr(f64({1e30}), {.sci_mode = false}),
                "tensor([1000000000000000019884624838656.], dtype=torch.float64)");
  EXPECT_PYTHON("repr_with(torch.tensor([1.7976931348623157e308], dtype=torch.float64), sci_mode=False)",
                repr(f64({1.7976931348623157e308}), {.sci_mode = false}),
                "tensor(["
                "17976931348623157081452742373170435679807056752584499659891747680315726078002853876058955863"
                "27668781715404589535143824642343213268894641827684675467035375169860499105765512820762454900"
                "90389328944075868508455133942304583236903222948165808559332123348274797826204144723168738177"
                "180919299881250404026184124858368.],\n"
                "       dtype=torch.float64)");
}

// Up to 2.6, the width is computed in the automatic mode although the text is in the forced one.
// Newer releases compute it in the forced mode (pytorch/pytorch #126859).
#if TORCH_VERSION_MAJOR < 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR < 7)
TEST(OptionsSciMode, KeepsTheWidthOfTheAutomaticMode) {
  EXPECT_PYTHON("repr_with(torch.tensor([100., 0.01]), sci_mode=False)",
                repr(f32({100, 0.01f}), {.sci_mode = false}), "tensor([  100.0000,     0.0100])");
  EXPECT_PYTHON("repr_with(torch.tensor([2000., 1.]), sci_mode=False)",
                repr(f32({2000, 1}), {.sci_mode = false}), "tensor([     2000.,         1.])");
  EXPECT_PYTHON("repr_with(torch.tensor([1e-5]), sci_mode=False)", repr(f32({1e-5f}), {.sci_mode = false}),
                "tensor([    0.0000])");
  EXPECT_PYTHON("repr_with(torch.tensor([1.5, inf]), sci_mode=True)",
                repr(f32({1.5, kInf}), {.sci_mode = true}), "tensor([1.5000e+00,    inf])");
  EXPECT_PYTHON("repr_with(torch.tensor([1.5, -2.5]), sci_mode=True)",
                repr(f32({1.5, -2.5}), {.sci_mode = true}), "tensor([1.5000e+00, -2.5000e+00])");
  EXPECT_PYTHON("repr_with(torch.full((9,), 1.5), sci_mode=True)",
                repr(at::full({9}, 1.5), {.sci_mode = true}),
                "tensor([1.5000e+00, 1.5000e+00, 1.5000e+00, 1.5000e+00, 1.5000e+00, 1.5000e+00, 1.5000e+00, "
                "1.5000e+00, 1.5000e+00])");
}
#else
TEST(OptionsSciMode, MeasuresInTheForcedMode) {
  EXPECT_PYTHON("repr_with(torch.tensor([100., 0.01]), sci_mode=False)",
                repr(f32({100, 0.01f}), {.sci_mode = false}), "tensor([100.0000,   0.0100])");
  EXPECT_PYTHON("repr_with(torch.tensor([2000., 1.]), sci_mode=False)",
                repr(f32({2000, 1}), {.sci_mode = false}), "tensor([2000.,    1.])");
  EXPECT_PYTHON("repr_with(torch.tensor([1e-5]), sci_mode=False)", repr(f32({1e-5f}), {.sci_mode = false}),
                "tensor([0.0000])");
  EXPECT_PYTHON("repr_with(torch.tensor([1.5, inf]), sci_mode=True)",
                repr(f32({1.5, kInf}), {.sci_mode = true}), "tensor([1.5000e+00,        inf])");
  EXPECT_PYTHON("repr_with(torch.tensor([1.5, -2.5]), sci_mode=True)",
                repr(f32({1.5, -2.5}), {.sci_mode = true}), "tensor([ 1.5000e+00, -2.5000e+00])");
  EXPECT_PYTHON("repr_with(torch.full((9,), 1.5), sci_mode=True)",
                repr(at::full({9}, 1.5), {.sci_mode = true}),
                "tensor([1.5000e+00, 1.5000e+00, 1.5000e+00, 1.5000e+00, 1.5000e+00, 1.5000e+00,\n"
                "        1.5000e+00, 1.5000e+00, 1.5000e+00])");
}
#endif

TEST(OptionsProfile, SetsPythonsValues) {
  EXPECT_PYTHON("repr_with(torch.arange(1001.) / 8, profile='short')",
                repr(at::arange(1001.0) / 8, PrintOptions::short_profile()),
                "tensor([  0.00,   0.12,  ..., 124.88, 125.00])");
  EXPECT_PYTHON("repr_with(torch.arange(1001.) / 8, profile='default')",
                repr(at::arange(1001.0) / 8, PrintOptions::default_profile()),
                "tensor([  0.0000,   0.1250,   0.2500,  ..., 124.7500, 124.8750, 125.0000])");
  EXPECT_PYTHON("repr('...' in repr_with(torch.zeros(2000), profile='full'))",
                repr(at::zeros({2000}), PrintOptions::full_profile()).find("...") == std::string::npos
                    ? "False"
                    : "True",
                "False");
  EXPECT_EQ(PrintOptions::default_profile(), PrintOptions());
}

TEST_F(Options, AreThoseThatWereSet) {
  set_print_options({.precision = 2});
  EXPECT_EQ(print_options(), PrintOptions{.precision = 2});
  EXPECT_PYTHON("repr_with(torch.tensor(1 / 3), precision=2)", repr(scalar(1.0f / 3)), "tensor(0.33)");
  EXPECT_PYTHON("repr_with(torch.tensor(1 / 3), precision=2)", str(scalar(1.0f / 3)), "tensor(0.33)");
}

TEST_F(Options, ResetSciModeWhereNotNamed) {
  set_print_options({.sci_mode = true});
  set_print_options({.precision = 3});
  EXPECT_EQ(print_options().sci_mode, std::nullopt);
}

TEST_F(Options, OfTheProcessAreSeenByOtherThreads) {
  set_print_options({.precision = 2});
  EXPECT_PYTHON("repr_with(torch.tensor(1 / 3), precision=2)", third_on_another_thread(), "tensor(0.33)");
}

TEST_F(Options, OfAScopeAreNotSeenByOtherThreads) {
  const ScopedPrintOptions scope({.precision = 2});
  EXPECT_PYTHON("repr(torch.tensor(1 / 3))", third_on_another_thread(), "tensor(0.3333)");
  EXPECT_EQ(print_options().precision, 2);
}

TEST_F(Options, OfAScopeHideThoseOfTheProcess) {
  set_print_options({.precision = 2});
  {
    const ScopedPrintOptions scope({.precision = 6});
    EXPECT_EQ(print_options().precision, 6);
    set_print_options({.precision = 1});
    EXPECT_EQ(print_options().precision, 6);
  }
  EXPECT_EQ(print_options().precision, 1);
}

TEST_F(Options, OfScopesNest) {
  const ScopedPrintOptions outer({.precision = 2});
  {
    const ScopedPrintOptions inner({.linewidth = 40});
    EXPECT_EQ(print_options(), PrintOptions{.linewidth = 40});
  }
  EXPECT_EQ(print_options(), PrintOptions{.precision = 2});
}

TEST_F(Options, OfAScopeEndWithAnException) {
  try {
    const ScopedPrintOptions scope({.precision = 2});
    throw std::runtime_error("unwound");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(print_options(), PrintOptions());
}

TEST_F(Options, GivenToReprHideThoseInForce) {
  const ScopedPrintOptions scope({.precision = 2});
  EXPECT_PYTHON("repr_with(torch.tensor(1 / 3), precision=6)", repr(scalar(1.0f / 3), {.precision = 6}),
                "tensor(0.333333)");
  EXPECT_PYTHON("repr_with(torch.tensor(1 / 3))", repr(scalar(1.0f / 3), PrintOptions{}), "tensor(0.3333)");
}

/// Returns the error message of set_print_options, or an empty string if it accepts the options.
/// Restores the previous options.
std::string refusal(const PrintOptions& options) {
  const PrintOptions before = print_options();
  std::string message;
  try {
    set_print_options(options);
  } catch (const std::invalid_argument& error) {
    message = error.what();
    EXPECT_EQ(print_options(), before);
  }
  EXPECT_EQ(message.empty(), print_options() == options);
  return message;
}

TEST_F(Options, ThatAreNegativeAreRefusedByNameAndValue) {
  EXPECT_EQ(refusal({.precision = -1}), "print option precision is -1; it must be 0 or more");
  EXPECT_EQ(refusal({.edgeitems = -3}), "print option edgeitems is -3; it must be 0 or more");
  EXPECT_EQ(refusal({.linewidth = -80}), "print option linewidth is -80; it must be 0 or more");
  EXPECT_EQ(refusal({.precision = 0, .threshold = 0, .edgeitems = 0, .linewidth = 0}), "");
}

TEST_F(Options, ThatAreNegativeAreRefusedWhereverTheyAreGiven) {
  EXPECT_PYTHON_RAISES("repr_with(torch.tensor([0.5, 1.25]), precision=-1)", "ValueError",
                       repr(f32({0.5, 1.25}), {.precision = -1}), std::invalid_argument);
  EXPECT_PYTHON_RAISES("repr_with(torch.tensor(1.5), precision=-1)", "ValueError",
                       repr(scalar(1.5f), {.precision = -1}), std::invalid_argument);
  // Python accepts these values, and then repeats or drops elements.
  EXPECT_THROW(repr(f32({0.5, 1.25}), {.edgeitems = -1}), std::invalid_argument);
  EXPECT_THROW(repr(f32({0.5, 1.25}), {.linewidth = -1}), std::invalid_argument);
  EXPECT_THROW(ScopedPrintOptions({.precision = -1}), std::invalid_argument);
  EXPECT_EQ(print_options(), PrintOptions());
}

TEST_F(Options, ThatAreHugeOrNegativeAreThoseOfPython) {
  EXPECT_PYTHON("repr_with(torch.arange(8), threshold=-5)", repr(at::arange(8), {.threshold = -5}),
                "tensor([0, 1, 2,  ..., 5, 6, 7])");
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  EXPECT_PYTHON("repr_with(torch.arange(3), linewidth=2**63 - 1, edgeitems=2**63 - 1, threshold=0)",
                repr(at::arange(3), {.threshold = 0, .edgeitems = most, .linewidth = most}),
                "tensor([0, 1, 2])");
}

}  // namespace
}  // namespace torchbook::pyrepr
