// Tests that torchbook's layers run Python's operations. docs/porting.md has the same, judged by PyTorch.
#include <gtest/gtest.h>
#include <torch/nn/modules/container/sequential.h>
#include <torchbook/notebook/nn.h>
#include <torchbook/pyrepr/tensor.h>

namespace torchbook::nn {
namespace {

/// Returns whether two tensors have the same bits.
bool same(const at::Tensor& one, const at::Tensor& other) { return one.equal(other); }

TEST(Linear, RunsOneOperationOnInputOfThreeDimensions) {
  Linear linear(3, 2);
  const at::Tensor x = at::rand({4, 5, 3});  // (batch, time, channels)
  const at::Tensor y = linear(x);            // (batch, time, 2)
  EXPECT_TRUE(same(y, at::linear(x, linear->weight, linear->bias)));
  EXPECT_TRUE(pyrepr::repr(y).ends_with("grad_fn=<ViewBackward0>)")) << pyrepr::repr(y);
}

TEST(Linear, HasTheWeightsOfLibTorchsOwn) {
  at::manual_seed(5);
  const Linear ours(torch::nn::LinearOptions(4, 3).bias(false));
  at::manual_seed(5);
  const torch::nn::Linear libtorchs(torch::nn::LinearOptions(4, 3).bias(false));
  EXPECT_TRUE(same(ours->weight, libtorchs->weight));
  EXPECT_FALSE(ours->bias.defined());
}

TEST(Linear, StaysWhatItIsWhereItIsCopied) {
  const torch::nn::Sequential layers(Linear(3, 2));
  const auto copy = std::dynamic_pointer_cast<torch::nn::SequentialImpl>(layers->clone());
  ASSERT_NE(copy, nullptr);
  const auto& linear = copy->at<LinearImpl>(0);
  const auto& original = layers->at<LinearImpl>(0);
  ASSERT_EQ(linear.named_parameters().size(), 2U);
  EXPECT_TRUE(same(linear.weight, original.weight));
  EXPECT_TRUE(linear.weight.is_same(linear.named_parameters()["weight"]));
  EXPECT_FALSE(linear.weight.is_alias_of(original.weight));
  const at::Tensor x = at::rand({1, 2, 3});  // (batch, time, channels)
  EXPECT_TRUE(same(copy->forward(x), layers->clone()->as<torch::nn::SequentialImpl>()->forward(x)));
  EXPECT_TRUE(pyrepr::repr(copy->forward(x)).ends_with("grad_fn=<ViewBackward0>)"));
}

}  // namespace
}  // namespace torchbook::nn
