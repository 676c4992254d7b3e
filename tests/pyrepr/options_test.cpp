// Tests the effect of each print option, and the threads that it applies to.
#include <gtest/gtest.h>
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

TEST(OptionsSciMode, ForcesTheNotation) {
  EXPECT_PYTHON("repr_with(torch.tensor([1.5, 2.]), sci_mode=True)", repr(f32({1.5, 2}), {.sci_mode = true}),
                "tensor([1.5000e+00, 2.0000e+00])");
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
