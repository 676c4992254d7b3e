// Tests which origins are claimed, and which similar ones are not. The weights and products are PyTorch
// 1.13's float32 values with nine digits. The command that computes each stands above it.
#include <gtest/gtest.h>
#include <torchbook/report/origin.h>

#include <cmath>
#include <limits>
#include <utility>

namespace torchbook::test {
namespace {

using Kind = report::Origin::Kind;

report::Numbers floats(std::vector<std::int64_t> shape, const std::vector<float>& values) {
  return {.dtype = "torch.float32", .shape = std::move(shape), .values = {values.begin(), values.end()}};
}

report::Numbers integers(std::vector<std::int64_t> shape, std::vector<double> values) {
  return {.dtype = "torch.int64", .shape = std::move(shape), .values = std::move(values)};
}

std::optional<report::Origin> origin(const report::Numbers& tensor,
                                     const std::vector<report::Numbers>& candidates) {
  return find_origin(tensor, candidates);
}

// x = torch.tensor([[0.43, 0.15, 0.89], [0.55, 0.87, 0.66]])
const report::Numbers x = floats({2, 3}, {0.43F, 0.15F, 0.89F, 0.55F, 0.87F, 0.66F});
// torch.softmax(x, 0)
const report::Numbers softmax_0 =
    floats({2, 3}, {0.47003594F, 0.327392966F, 0.557247877F, 0.52996403F, 0.672607005F, 0.442752153F});
// torch.softmax(x, 1)
const report::Numbers softmax_1 =
    floats({2, 3}, {0.299413949F, 0.226292193F, 0.474293858F, 0.286253601F, 0.394207776F, 0.319538623F});
// x @ x.T
const report::Numbers x_xt = floats({2, 2}, {0.999499917F, 0.954400063F, 0.954400063F, 1.49500012F});
// w = torch.tensor([[0.25, 0.75], [0.6, 0.4]])
const report::Numbers w = floats({2, 2}, {0.25F, 0.75F, 0.600000024F, 0.400000006F});
// w @ x
const report::Numbers w_x =
    floats({2, 3}, {0.520000041F, 0.690000057F, 0.717499971F, 0.478000045F, 0.438000023F, 0.798000097F});
// v = torch.tensor([0.5, -1.5, 2.0])
const report::Numbers v = floats({3}, {0.5F, -1.5F, 2.0F});
// x @ v
const report::Numbers x_v = floats({2}, {1.76999998F, 0.289999962F});
// x / 24**0.5
const report::Numbers x_by_root_24 =
    floats({2, 3}, {0.0877733827F, 0.030618621F, 0.181670487F, 0.112268277F, 0.177588001F, 0.134721935F});

// q = torch.tensor([[[0.43, 0.15], [0.89, 0.55]], [[0.87, 0.66], [0.57, 0.85]]])
const report::Numbers q = floats({2, 2, 2}, {0.43F, 0.15F, 0.89F, 0.55F, 0.87F, 0.66F, 0.57F, 0.85F});
// w @ q
const report::Numbers w_q = floats({2, 2, 2}, {0.774999976F, 0.450000018F, 0.614000022F, 0.310000002F,
                                               0.644999981F, 0.80250001F, 0.75F, 0.736000061F});
// q @ w
const report::Numbers q_w = floats({2, 2, 2}, {0.197500005F, 0.382499993F, 0.55250001F, 0.887500048F,
                                               0.613500059F, 0.916500032F, 0.652500033F, 0.767500043F});
// q @ q.mT
const report::Numbers q_qt = floats({2, 2, 2}, {0.207399994F, 0.465200007F, 0.465200007F, 1.09459996F,
                                                1.19250011F, 1.05690002F, 1.05690002F, 1.0474F});
// u = torch.tensor([0.5, -1.5])
const report::Numbers u = floats({2}, {0.5F, -1.5F});
// q @ u
const report::Numbers q_u = floats({2, 2}, {-0.0100000054F, -0.380000055F, -0.555000007F, -0.990000129F});

report::Numbers changed(report::Numbers numbers, std::size_t at, double by) {
  numbers.values[at] += by;
  return numbers;
}

report::Numbers transposed(const report::Numbers& numbers) {
  report::Numbers result = numbers;
  std::swap(result.shape[0], result.shape[1]);
  const auto rows = static_cast<std::size_t>(numbers.shape[0]);
  const auto columns = static_cast<std::size_t>(numbers.shape[1]);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      result.values[j * rows + i] = numbers.values[i * columns + j];
    }
  }
  return result;
}

TEST(Origin, SoftmaxAlongEitherDim) {
  EXPECT_EQ(origin(softmax_1, {x}), (report::Origin{.kind = Kind::softmax, .dim = 1}));
  EXPECT_EQ(origin(softmax_0, {x}), (report::Origin{.kind = Kind::softmax, .dim = 0}));
}

TEST(Origin, SoftmaxOfMaskedScores) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const report::Numbers masked = floats({2, 2}, {0, -inf, 0, 0});
  EXPECT_EQ(origin(floats({2, 2}, {1, 0, 0.5F, 0.5F}), {masked}),
            (report::Origin{.kind = Kind::softmax, .dim = 1}));
}

TEST(Origin, NearlyASoftmaxIsNone) {
  for (std::size_t i = 0; i < softmax_1.values.size(); ++i) {
    EXPECT_EQ(origin(changed(softmax_1, i, 1e-5), {x}), std::nullopt) << i;
    EXPECT_EQ(origin(changed(softmax_1, i, -1e-5), {x}), std::nullopt) << i;
  }
  EXPECT_EQ(origin(softmax_1, {changed(x, 0, 1e-4)}), std::nullopt);
  EXPECT_EQ(origin(softmax_1, {transposed(x)}), std::nullopt);
  EXPECT_EQ(origin(softmax_1, {}), std::nullopt);
}

TEST(Origin, TheLatestCandidateCounts) {
  EXPECT_EQ(origin(softmax_1, {x, x, softmax_0}),
            (report::Origin{.kind = Kind::softmax, .left = {.tensor = 1}, .dim = 1}));
}

TEST(Origin, ProductsAndProductsWithATransposedMatrix) {
  EXPECT_EQ(origin(x_xt, {x}), (report::Origin{.kind = Kind::product, .transposed = true}));
  EXPECT_EQ(origin(w_x, {x, softmax_1, w}),
            (report::Origin{.kind = Kind::product, .left = {.tensor = 2}, .right = {.tensor = 0}}));
  EXPECT_EQ(origin(x_xt, {x, transposed(x)}),
            (report::Origin{.kind = Kind::product, .left = {.tensor = 0}, .right = {.tensor = 1}}));
}

TEST(Origin, ProductsOfVectorsAndOfRows) {
  EXPECT_EQ(origin(x_v, {x, v}),
            (report::Origin{
                .kind = Kind::product, .left = {.tensor = 1}, .right = {.tensor = 0}, .transposed = true}));
  const report::Numbers first_scores =
      floats({2}, {static_cast<float>(x_xt.values[0]), static_cast<float>(x_xt.values[1])});
  EXPECT_EQ(origin(first_scores, {x}),
            (report::Origin{
                .kind = Kind::product, .left = {.tensor = 0, .row = 0}, .right = {}, .transposed = true}));
}

TEST(Origin, ProductsOfBatches) {
  EXPECT_EQ(origin(w_q, {w, q}),
            (report::Origin{.kind = Kind::product, .left = {.tensor = 0}, .right = {.tensor = 1}}));
  EXPECT_EQ(origin(q_w, {w, q}),
            (report::Origin{.kind = Kind::product, .left = {.tensor = 1}, .right = {.tensor = 0}}));
  EXPECT_EQ(origin(q_qt, {q}), (report::Origin{.kind = Kind::product, .transposed = true}));
  EXPECT_EQ(origin(q_u, {q, u}),
            (report::Origin{
                .kind = Kind::product, .left = {.tensor = 1}, .right = {.tensor = 0}, .transposed = true}));
}

TEST(Origin, NearlyAProductOfBatchesIsNone) {
  for (std::size_t i = 0; i < w_q.values.size(); ++i) {
    EXPECT_EQ(origin(changed(w_q, i, 1e-5), {w, q}), std::nullopt) << i;
  }
  report::Numbers three = q;  // a different number of batches
  three.shape = {4, 1, 2};
  EXPECT_EQ(origin(w_q, {w, three}), std::nullopt);
  EXPECT_EQ(origin(q_w, {q, q}), std::nullopt);
}

TEST(Origin, NearlyAProductIsNone) {
  for (std::size_t i = 0; i < x_xt.values.size(); ++i) {
    EXPECT_EQ(origin(changed(x_xt, i, 1e-5), {x}), std::nullopt) << i;
  }
  EXPECT_EQ(origin(transposed(w_x), {x, w}), std::nullopt);
  EXPECT_EQ(origin(w_x, {x, transposed(w)}), std::nullopt);
}

TEST(Origin, ProductsOfIntegersAreExact) {
  const report::Numbers a = integers({2, 2}, {1, 2, 3, 4});
  const report::Numbers b = integers({2, 2}, {5, 6, 7, 9});
  EXPECT_EQ(origin(integers({2, 2}, {19, 24, 43, 54}), {a, b}),
            (report::Origin{.kind = Kind::product, .left = {.tensor = 0}, .right = {.tensor = 1}}));
  EXPECT_EQ(origin(integers({2, 2}, {19, 24, 43, 55}), {a, b}), std::nullopt);
}

TEST(Origin, ScaledByARootOfAWholeNumberOnly) {
  EXPECT_EQ(origin(x_by_root_24, {x}), (report::Origin{.kind = Kind::scaled, .divisor = 24}));
  EXPECT_EQ(origin(changed(x_by_root_24, 3, 1e-6), {x}), std::nullopt);
  report::Numbers by_root_2_5 = x;
  for (double& value : by_root_2_5.values) value = static_cast<float>(value / std::sqrt(2.5));
  EXPECT_EQ(origin(by_root_2_5, {x}), std::nullopt);
  report::Numbers opposite = x_by_root_24;
  for (double& value : opposite.values) value = -value;
  EXPECT_EQ(origin(opposite, {x}), std::nullopt);
}

TEST(Origin, NothingIsClaimedOfScoresThatAreNotFinite) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const report::Numbers masked = floats({2, 3}, {0.43F, -inf, 0.89F, -inf, 0.87F, 0.66F});
  EXPECT_EQ(origin(floats({2}, {5, -77}), {masked, v, x}), std::nullopt);
  EXPECT_EQ(origin(x_by_root_24, {masked}), std::nullopt);
  EXPECT_EQ(origin(x_xt, {masked, x}),
            (report::Origin{
                .kind = Kind::product, .left = {.tensor = 1}, .right = {.tensor = 1}, .transposed = true}));
}

TEST(Origin, ABatchOfOneIsTheSameThroughoutALargerOne) {
  report::Numbers one_w = w;
  one_w.shape = {1, 2, 2};
  EXPECT_EQ(origin(w_q, {one_w, q}),
            (report::Origin{.kind = Kind::product, .left = {.tensor = 0}, .right = {.tensor = 1}}));
}

TEST(Origin, NothingIsClaimedThatChanceExplains) {
  const report::Numbers a = integers({2, 2}, {1, 2, 3, 4});
  const report::Numbers zeros = integers({2, 2}, {0, 0, 0, 0});
  EXPECT_EQ(origin(zeros, {a, zeros}), std::nullopt);                       // all values are equal
  EXPECT_EQ(origin(a, {integers({2, 2}, {1, 0, 0, 1}), a}), std::nullopt);  // the tensor is an operand itself
  EXPECT_EQ(origin(integers({2}, {3, 4}), {a, integers({2}, {0, 1})}),
            std::nullopt);  // the product picks a row
  EXPECT_EQ(origin(floats({2}, {1, std::numeric_limits<float>::quiet_NaN()}), {x}), std::nullopt);
  EXPECT_EQ(origin(floats({}, {1}), {x}), std::nullopt);
  report::Numbers coarse = softmax_1;
  coarse.dtype = "torch.bfloat16";
  EXPECT_EQ(origin(coarse, {x}), std::nullopt);
}

}  // namespace
}  // namespace torchbook::test
