#include <gtest/gtest.h>
#include <torch/ordered_dict.h>
#include <torchbook/runtime/modules.h>

namespace torchbook::nn {
namespace {

TEST(ReplaceParameter, IsWhatTheModuleTellsOfItsParameters) {
  Linear linear(2, 1);
  linear->weight = replace_parameter(*linear, "weight", at::ones({1, 2}).requires_grad_());
  EXPECT_TRUE(linear->named_parameters()["weight"].is_same(linear->weight));
  EXPECT_EQ(linear->parameters().size(), 2U);
}

}  // namespace
}  // namespace torchbook::nn
