// Tests unusual option values: negative ones are rejected, others act as in Python.
#include <gtest/gtest.h>
#include <torchbook/pyrepr/options.h>
#include <torchbook/pyrepr/tensor.h>

#include <cstdint>
#include <limits>
#include <stdexcept>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

using test::f32;
using test::scalar;

TEST(OddOptions, ThatAreNegativeAreRefusedWhereverTheyAreGiven) {
  EXPECT_PYTHON_RAISES("repr_with(torch.tensor([0.5, 1.25]), precision=-1)", "ValueError",
                       repr(f32({0.5, 1.25}), {.precision = -1}), std::invalid_argument);
  EXPECT_PYTHON_RAISES("repr_with(torch.tensor(1.5), precision=-1)", "ValueError",
                       repr(scalar(1.5f), {.precision = -1}), std::invalid_argument);
  // Python accepts these values, and then repeats or drops elements.
  EXPECT_THROW(repr(f32({0.5, 1.25}), {.edgeitems = -1}), std::invalid_argument);
  EXPECT_THROW(repr(f32({0.5, 1.25}), {.linewidth = -1}), std::invalid_argument);
}

TEST(OddOptions, ThatAreOddAreThoseOfPython) {
  const at::Tensor eight = at::arange(8);
  EXPECT_PYTHON("repr_with(torch.tensor([0.5, 1.25]), linewidth=0)", repr(f32({0.5, 1.25}), {.linewidth = 0}),
                "tensor([0.5000,\n        1.2500])");
  EXPECT_PYTHON("repr_with(torch.arange(8), threshold=0)", repr(eight, {.threshold = 0}),
                "tensor([0, 1, 2,  ..., 5, 6, 7])");
  EXPECT_PYTHON("repr_with(torch.arange(8), threshold=-5)", repr(eight, {.threshold = -5}),
                "tensor([0, 1, 2,  ..., 5, 6, 7])");
  EXPECT_PYTHON("repr_with(torch.arange(8), threshold=0, edgeitems=10**9)",
                repr(eight, {.threshold = 0, .edgeitems = 1'000'000'000}),
                "tensor([0, 1, 2, 3, 4, 5, 6, 7])");
  EXPECT_PYTHON("repr_with(torch.arange(3), linewidth=10**9)",
                repr(at::arange(3), {.linewidth = 1'000'000'000}), "tensor([0, 1, 2])");
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  EXPECT_PYTHON("repr_with(torch.arange(3), linewidth=2**63 - 1, edgeitems=2**63 - 1, threshold=0)",
                repr(at::arange(3), {.threshold = 0, .edgeitems = most, .linewidth = most}),
                "tensor([0, 1, 2])");
}

}  // namespace
}  // namespace torchbook::pyrepr
