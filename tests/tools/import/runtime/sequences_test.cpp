// Tests that sums of lists are Python's.
#include <gtest/gtest.h>
#include <torch/torch.h>
#include <torchbook/runtime/sequences.h>
#include <torchbook/runtime/tensor_lists.h>

#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace torchbook::python {
namespace {

TEST(Sum, AddsOneAfterTheOther) {
  EXPECT_EQ(sum(std::vector<double>{0.1, 0.2, 0.3}), 0.6000000000000001);
  EXPECT_EQ(sum(std::vector<double>{1e16, 1.0, -1e16}), 0.0);
  EXPECT_EQ(sum(std::vector<std::int64_t>{3, -5}), -2);
  EXPECT_EQ(sum(std::vector<std::int64_t>{}), 0);
  EXPECT_EQ(sum(std::vector<bool>{true, false, true}), 2);
  static_assert(std::is_same_v<decltype(sum(std::vector<bool>{})), std::int64_t>);
}

TEST(Sum, OfTensorsKeepsTheirDtype) {
  const auto total = sum(std::vector<at::Tensor>{torch::ones(2, torch::kHalf), torch::ones(2, torch::kHalf)});
  EXPECT_TRUE(total.equal(torch::full({2}, 2, torch::kHalf)));
  EXPECT_EQ(total.scalar_type(), torch::kHalf);
}

// Python's sum of nothing is the int 0, which neither a double nor a tensor prints.
TEST(Sum, OfNothingThrowsUnlessItIsAnInt) {
  EXPECT_THROW(sum(std::vector<double>{}), std::invalid_argument);
  EXPECT_THROW(sum(std::vector<at::Tensor>{}), c10::Error);
}

}  // namespace
}  // namespace torchbook::python
