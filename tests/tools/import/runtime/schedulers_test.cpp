// Tests that learning rates follow Python's schedules, to the last bit. The numbers are PyTorch's.
#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/optim/sgd.h>
#include <torchbook/runtime/schedulers.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace torchbook::optim {
namespace {

torch::optim::SGD optimizer() {
  return torch::optim::SGD({at::ones({1}).requires_grad_()}, torch::optim::SGDOptions(0.1));
}

std::vector<double> rates(Scheduler& scheduler, int epochs) {
  std::vector<double> rates;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    scheduler.step();
    rates.push_back(scheduler.get_last_lr()[0]);
  }
  return rates;
}

TEST(Schedulers, MultiplyByGamma) {
  auto sgd = optimizer();
  StepLR steps(sgd, 2, 0.5);
  EXPECT_EQ(rates(steps, 4), (std::vector{0.1, 0.05, 0.05, 0.025}));
  EXPECT_EQ(sgd.param_groups()[0].options().get_lr(), 0.025);
  auto other = optimizer();
  ExponentialLR falls(other, 0.9);
  EXPECT_EQ(rates(falls, 3), (std::vector{0.09000000000000001, 0.08100000000000002, 0.07290000000000002}));
}

TEST(Schedulers, MultiplyByGammaAtMilestones) {
  auto sgd = optimizer();
  MultiStepLR steps(sgd, {2, 4, 4}, 0.3);
  EXPECT_EQ(rates(steps, 5), (std::vector{0.1, 0.03, 0.03, 0.0026999999999999997, 0.0026999999999999997}));
}

TEST(Schedulers, FollowAFunctionFromTheStart) {
  auto sgd = optimizer();
  LambdaLR falls(sgd, [](std::int64_t epoch) { return std::pow(0.9, static_cast<double>(epoch + 1)); });
  EXPECT_EQ(falls.get_last_lr(), std::vector{0.09000000000000001});
  EXPECT_EQ(sgd.param_groups()[0].options().get_lr(), 0.09000000000000001);
  EXPECT_EQ(rates(falls, 3), (std::vector{0.08100000000000002, 0.0729, 0.06561}));
}

TEST(Schedulers, FollowACosineDownAndUp) {
  auto sgd = optimizer();
  CosineAnnealingLR cosine(sgd, 3, 0.01);
  EXPECT_EQ(rates(cosine, 7), (std::vector{0.0775, 0.032500000000000015, 0.01, 0.0325, 0.07750000000000005,
                                           0.10000000000000007, 0.07750000000000007}));
}

}  // namespace
}  // namespace torchbook::optim
