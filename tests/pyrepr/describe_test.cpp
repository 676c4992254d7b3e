// Tests the one-line description of tensors. What cpp() writes is compiled by cpp_test.cpp.
#include <gtest/gtest.h>
#include <torchbook/pyrepr/describe.h>

#include <stdexcept>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

using namespace torchbook::test;

TEST(Summary, DescribesTheFiniteElements) {
  EXPECT_PYTHON("summary(torch.tensor([[-1.5, 0.25, 2.25], [nan, inf, -inf]]))",
                summary(f32({-1.5, 0.25, 2.25, kNan, kInf, -kInf}).view({2, 3})),
                "(2, 3) float32, -1.5 … 2.25, mean 0.3333, std 1.876, 1 nan, 2 inf");
  EXPECT_PYTHON("summary(torch.tensor([nan, inf]))", summary(f32({kNan, kInf})),
                "(2,) float32, 1 nan, 1 inf");
  EXPECT_PYTHON("summary(torch.tensor([2., inf]))", summary(f32({2, kInf})), "(2,) float32, all 2, 1 inf");
  EXPECT_PYTHON("summary(torch.tensor(1e-12).double())", summary(scalar(1e-12f).to(at::kDouble)),
                "() float64, 1e-12");
  EXPECT_PYTHON("summary(torch.tensor([0.1, 1e4]).half())", summary(f32({0.1f, 1e4f}).to(at::kHalf)),
                "(2,) float16, 0.09998 … 1e+04, mean 5000, std 7071");
  EXPECT_PYTHON("summary(torch.ones(1000).bfloat16().requires_grad_())",
                summary(at::ones({1000}, at::kBFloat16).requires_grad_()), "(1000,) bfloat16, all 1");
}

TEST(Summary, OfIntegersIsExact) {
  EXPECT_PYTHON(
      "summary(torch.tensor([-2**63, 2**63 - 1, 7]))",
      summary(i64({std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max(), 7})),
      "(3,) int64, -9223372036854775808 … 9223372036854775807, mean 2.333, std 9.223e+18");
  EXPECT_PYTHON("summary(torch.tensor([200, 100], dtype=torch.uint8))",
                summary(i64({200, 100}).to(at::kByte)), "(2,) uint8, 100 … 200, mean 150, std 70.71");
  EXPECT_PYTHON("summary(torch.tensor([[True], [False], [True]]))", summary(bools({1, 0, 1}).view({3, 1})),
                "(3, 1) bool, 2 of 3 True");
}

TEST(Summary, OfComplexNumbersIsThatOfTheirAbsoluteValues) {
  EXPECT_PYTHON("summary(torch.tensor([3 + 4j, -1j, complex(nan, 1)]).conj())",
                summary(c64({{3, 4}, {0, -1}, {kNan, 1}}).conj()),
                "(3,) complex64, abs 1 … 5, mean 3, std 2.828, 1 nan");
}

TEST(Summary, HasStridesIfTheyAreUnusual) {
  EXPECT_PYTHON("summary(torch.arange(6).view(2, 3).t())", summary(at::arange(6).view({2, 3}).t()),
                "(3, 2) int64, 0 … 5, mean 2.5, std 1.871, strides (1, 3)");
  EXPECT_PYTHON("summary(torch.tensor([2.]).expand(3))", summary(f32({2}).expand({3})),
                "(3,) float32, all 2, strides (0,)");
}

TEST(Summary, OfOtherKindsSaysWhatTheyAre) {
  EXPECT_EQ(summary(at::Tensor()), "None");
  EXPECT_EQ(summary(at::zeros({0, 3})), "(0, 3) float32, empty");
  EXPECT_EQ(summary(at::empty({2, 2}, at::device(at::kMeta).dtype(at::kLong))), "(2, 2) int64, meta");
  EXPECT_EQ(summary(at::eye(3).to_sparse()), "(3, 3) float32, sparse_coo, nnz 3, all 1");
  EXPECT_EQ(summary(at::eye(2).to_sparse_csr()), "(2, 2) float32, sparse_csr, nnz 2, all 1");
  EXPECT_EQ(summary(at::quantize_per_tensor(f32({1, 2.5}), 0.5, 3, at::kQUInt8)),
            "(2,) quint8, 1 … 2.5, mean 1.75, std 1.061");
  EXPECT_EQ(summary(at::_nested_tensor_from_tensor_list({at::ones({2}), at::zeros({1})})),
            "nested float32, 2 tensors");
}

TEST(Cpp, IsOfDenseTensors) {
  EXPECT_EQ(cpp(f32({1.5, -0.0f, kInf, 1e20f}).view({2, 2})),
            "torch::tensor({{1.5f, -0.0f},\n               {INFINITY, 1e+20f}}, torch::kFloat)");
  EXPECT_EQ(cpp(at::Tensor()), "torch::Tensor()");
  EXPECT_EQ(cpp(at::zeros({0, 3}, at::kHalf)), "torch::empty({0, 3}, torch::kHalf)");
  try {
    cpp(at::eye(3).to_sparse());
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(
        error.what(),
        "cpp() writes dense tensors, and this one is (3, 3) float32, sparse_coo, nnz 3, all 1; convert "
        "it first, such as by to_dense() or dequantize()");
  }
}

}  // namespace
}  // namespace torchbook::pyrepr
