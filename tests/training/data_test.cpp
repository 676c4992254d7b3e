// Tests that data sets and loaders draw and collate as Python's do. The numbers are PyTorch's.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <gtest/gtest.h>
#include <torchbook/training/data.h>

#include <stdexcept>
#include <tuple>
#include <vector>

namespace torchbook::data {
namespace {

bool holds(const at::Tensor& tensor, const std::vector<std::int64_t>& values) {
  return tensor.equal(at::tensor(values, at::kLong));
}

/// Returns the next number of the default generator, which identifies its state.
std::int64_t drawn() { return at::randint(0, 1000, {1}).item<std::int64_t>(); }

TEST(DataLoader, ShufflesByASeedThatItDraws) {
  const DataLoader loader(TensorDataset(at::arange(5), at::arange(5) * 2.0),
                          DataLoaderOptions(2).shuffle(true).drop_last(true));
  EXPECT_EQ(loader.size(), 2);
  at::manual_seed(123);
  std::vector<std::tuple<at::Tensor, at::Tensor>> batches;
  for (const auto& [x, y] : loader) batches.emplace_back(x, y);
  ASSERT_EQ(batches.size(), 2U);
  EXPECT_TRUE(holds(std::get<0>(batches[0]), {3, 1}));
  EXPECT_TRUE(std::get<1>(batches[0]).equal(at::tensor({6.0F, 2.0F})));
  EXPECT_TRUE(holds(std::get<0>(batches[1]), {0, 2}));
  EXPECT_EQ(drawn(), 580);
}

TEST(DataLoader, DrawsASeedForWorkersEvenInOrder) {
  const DataLoader loader(at::arange(3), DataLoaderOptions(2));
  EXPECT_EQ(loader.size(), 2);
  at::manual_seed(5);
  std::vector<at::Tensor> batches;
  for (const auto& batch : loader) batches.push_back(batch);
  ASSERT_EQ(batches.size(), 2U);
  EXPECT_TRUE(holds(batches[0], {0, 1}));
  EXPECT_TRUE(holds(batches[1], {2}));
  EXPECT_EQ(drawn(), 767);
}

TEST(TensorDataset, WantsTensorsOfOneLength) {
  EXPECT_THROW(TensorDataset(at::ones({2}), at::ones({3})), std::invalid_argument);
}

}  // namespace
}  // namespace torchbook::data
