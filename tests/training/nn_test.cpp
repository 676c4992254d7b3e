// Tests that torchbook's layers run Python's operations. docs/porting/modules.md has the same, judged by
// PyTorch.
#include <gtest/gtest.h>
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/container/sequential.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/sgd.h>
#include <torch/ordered_dict.h>
#include <torchbook/pyrepr/tensor.h>
#include <torchbook/training/attention.h>
#include <torchbook/training/lazy.h>
#include <torchbook/training/nn.h>
#include <torchbook/training/state_dict.h>
#include <torchbook/training/transformer.h>

#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

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

TEST(Lazy, ALayerStaysWhatItIsWhereItIsCopied) {
  torch::nn::Sequential layers(LazyConv2d(2, 3), torch::nn::Flatten(), LazyLinear(4));
  const auto before = std::dynamic_pointer_cast<torch::nn::SequentialImpl>(layers->clone());
  const at::Tensor x = at::rand({2, 1, 5, 5});  // (batch, channels, height, width)
  at::manual_seed(3);
  const at::Tensor y = layers->forward(x);  // (batch, 4)
  at::manual_seed(3);
  EXPECT_TRUE(same(before->forward(x), y));
  layers->at<LazyLinearImpl>(2).weight.set_requires_grad(false);
  layers->eval();
  const auto after = std::dynamic_pointer_cast<torch::nn::SequentialImpl>(layers->clone());
  EXPECT_TRUE(same(after->forward(x), y));
  const auto &linear = after->at<LazyLinearImpl>(2), &original = layers->at<LazyLinearImpl>(2);
  EXPECT_TRUE(linear.weight.is_same(linear.named_parameters()["weight"]));
  EXPECT_FALSE(linear.weight.is_alias_of(original.weight));
  EXPECT_FALSE(linear.weight.requires_grad() || linear.is_training() || linear.is_lazy());
  EXPECT_TRUE(linear.bias.requires_grad());
}

TEST(Attention, IsCalledWithDefaultsInASequentialAndCopied) {
  torch::nn::Sequential encoder(TransformerEncoderLayer(TransformerEncoderLayerOptions(4, 2).dropout(0)));
  const at::Tensor x = at::rand({3, 2, 4});  // (time, batch, channels)
  EXPECT_TRUE(same(std::dynamic_pointer_cast<torch::nn::SequentialImpl>(encoder->clone())->forward(x),
                   encoder->forward(x)));
  torch::nn::Sequential attention(MultiheadAttention(4, 2));
  using Both = std::tuple<at::Tensor, at::Tensor>;
  const auto copy = std::dynamic_pointer_cast<torch::nn::SequentialImpl>(attention->clone());
  EXPECT_TRUE(
      same(std::get<0>(copy->forward<Both>(x, x, x)), std::get<0>(attention->forward<Both>(x, x, x))));
}

TEST(StateDict, HasParametersAndThenBuffersOfEachModule) {
  const torch::nn::Sequential layers(torch::nn::BatchNorm1d(2), Linear(2, 1));
  const auto names = state_dict(*layers).keys();
  EXPECT_EQ(names, (std::vector<std::string>{"0.weight", "0.bias", "0.running_mean", "0.running_var",
                                             "0.num_batches_tracked", "1.weight", "1.bias"}));
  torch::nn::Sequential others(torch::nn::BatchNorm1d(2), Linear(2, 1));
  EXPECT_EQ(pyrepr::repr(load_state_dict(*others, state_dict(*layers))), "<All keys matched successfully>");
  EXPECT_TRUE(others->at<LinearImpl>(1).weight.equal(layers->at<LinearImpl>(1).weight));
  EXPECT_THROW(load_state_dict(*others, state_dict(*Linear(2, 1))), std::runtime_error);
  const auto kept = copy(state_dict(*layers));
  EXPECT_EQ(kept.keys(), names);
  EXPECT_TRUE(kept.at(names[0]).equal(state_dict(*layers).at(names[0])));
  EXPECT_NE(kept.at(names[0]).data_ptr(), state_dict(*layers).at(names[0]).data_ptr());
}

}  // namespace
}  // namespace torchbook::nn
