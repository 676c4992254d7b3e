// Tests brackets, line breaks, indents and suffixes around the elements.
#include <gtest/gtest.h>
#include <torchbook/pyrepr/tensor.h>

#include <stdexcept>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

using namespace torchbook::test;

TEST(LayoutRank, ZeroHasNoBrackets) {
  EXPECT_REPR("torch.tensor(5)", scalar(5, at::kLong), "tensor(5)");
  EXPECT_REPR("torch.ones(3).sum()", at::ones({3}).sum(), "tensor(3.)");
}

TEST(LayoutRank, OfOneElementNests) {
  EXPECT_REPR("torch.tensor([5])", i64({5}), "tensor([5])");
  EXPECT_REPR("torch.tensor([[5]])", i64({5}).view({1, 1}), "tensor([[5]])");
  EXPECT_REPR("torch.ones(1, 1, 1, 1, 1)", at::ones({1, 1, 1, 1, 1}), "tensor([[[[[1.]]]]])");
}

TEST(LayoutRank, TwoBreaksTheLineBetweenRows) {
  EXPECT_REPR("torch.arange(6).view(3, 2)", at::arange(6).view({3, 2}),
              "tensor([[0, 1],\n"
              "        [2, 3],\n"
              "        [4, 5]])");
  EXPECT_REPR("torch.arange(3).view(3, 1)", at::arange(3).view({3, 1}),
              "tensor([[0],\n"
              "        [1],\n"
              "        [2]])");
  EXPECT_REPR("torch.arange(3).view(1, 3)", at::arange(3).view({1, 3}), "tensor([[0, 1, 2]])");
}

TEST(LayoutRank, ThreeLeavesOneBlankLineBetweenBlocks) {
  EXPECT_REPR("torch.arange(8).view(2, 2, 2)", at::arange(8).view({2, 2, 2}),
              "tensor([[[0, 1],\n"
              "         [2, 3]],\n"
              "\n"
              "        [[4, 5],\n"
              "         [6, 7]]])");
  EXPECT_REPR("torch.arange(3).view(3, 1, 1)", at::arange(3).view({3, 1, 1}),
              "tensor([[[0]],\n"
              "\n"
              "        [[1]],\n"
              "\n"
              "        [[2]]])");
}

TEST(LayoutRank, FourLeavesTwoBlankLinesBetweenBlocks) {
  EXPECT_REPR("torch.arange(16).view(2, 2, 2, 2)", at::arange(16).view({2, 2, 2, 2}),
              "tensor([[[[ 0,  1],\n"
              "          [ 2,  3]],\n"
              "\n"
              "         [[ 4,  5],\n"
              "          [ 6,  7]]],\n"
              "\n"
              "\n"
              "        [[[ 8,  9],\n"
              "          [10, 11]],\n"
              "\n"
              "         [[12, 13],\n"
              "          [14, 15]]]])");
}

TEST(LayoutRank, FiveLeavesThreeBlankLinesBetweenBlocks) {
  EXPECT_REPR("torch.arange(8).view(2, 1, 2, 1, 2)", at::arange(8).view({2, 1, 2, 1, 2}),
              "tensor([[[[[0, 1]],\n"
              "\n"
              "          [[2, 3]]]],\n"
              "\n"
              "\n"
              "\n"
              "        [[[[4, 5]],\n"
              "\n"
              "          [[6, 7]]]]])");
}

TEST(LayoutEmpty, ShowsItsSizeUnlessItIsAVector) {
  EXPECT_REPR("torch.zeros(0)", at::zeros({0}), "tensor([])");
  EXPECT_REPR("torch.zeros(0, 3)", at::zeros({0, 3}), "tensor([], size=(0, 3))");
  EXPECT_REPR("torch.zeros(3, 0)", at::zeros({3, 0}), "tensor([], size=(3, 0))");
  EXPECT_REPR("torch.zeros(2, 0, 4, 0)", at::zeros({2, 0, 4, 0}), "tensor([], size=(2, 0, 4, 0))");
  EXPECT_REPR("torch.zeros(0, 3, dtype=torch.int64)", at::zeros({0, 3}, at::kLong),
              "tensor([], size=(0, 3), dtype=torch.int64)");
  EXPECT_REPR("torch.zeros(0, 0, dtype=torch.complex64)", at::zeros({0, 0}, at::kComplexFloat),
              "tensor([], size=(0, 0), dtype=torch.complex64)");
  EXPECT_REPR("torch.zeros(0, 3, requires_grad=True)", at::zeros({0, 3}).requires_grad_(),
              "tensor([], size=(0, 3), requires_grad=True)");
}

TEST(LayoutWrap, FillsLinesToTheLinewidth) {
  EXPECT_REPR("torch.arange(18) + 10", at::arange(18) + 10,
              "tensor([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27])");
  EXPECT_REPR("torch.arange(19) + 10", at::arange(19) + 10,
              "tensor([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,\n"
              "        28])");
  EXPECT_REPR("torch.arange(40.)", at::arange(40.0),
              "tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11., 12., 13.,\n"
              "        14., 15., 16., 17., 18., 19., 20., 21., 22., 23., 24., 25., 26., 27.,\n"
              "        28., 29., 30., 31., 32., 33., 34., 35., 36., 37., 38., 39.])");
  EXPECT_REPR("torch.full((10,), 0.5)", at::full({10}, 0.5),
              "tensor([0.5000, 0.5000, 0.5000, 0.5000, 0.5000, 0.5000, 0.5000, 0.5000, 0.5000,\n"
              "        0.5000])");
  EXPECT_REPR("torch.ones(19).bool()", at::ones({19}).to(at::kBool),
              "tensor([True, True, True, True, True, True, True, True, True, True, True, True,\n"
              "        True, True, True, True, True, True, True])");
  EXPECT_REPR("torch.full((8,), 1e-7)", at::full({8}, 1e-7),
              "tensor([1.0000e-07, 1.0000e-07, 1.0000e-07, 1.0000e-07, 1.0000e-07, 1.0000e-07,\n"
              "        1.0000e-07, 1.0000e-07])");
}

TEST(LayoutWrap, CountsAColumnForEachLevelOfNesting) {
  EXPECT_PYTHON("repr_with(torch.arange(4), linewidth=16)", repr(at::arange(4), {.linewidth = 16}),
                "tensor([0, 1, 2,\n"
                "        3])");
  EXPECT_PYTHON("repr_with(torch.arange(4).view(1, 4), linewidth=16)",
                repr(at::arange(4).view({1, 4}), {.linewidth = 16}),
                "tensor([[0, 1,\n"
                "         2, 3]])");
  EXPECT_PYTHON("repr_with(torch.arange(4).view(1, 4), linewidth=17)",
                repr(at::arange(4).view({1, 4}), {.linewidth = 17}),
                "tensor([[0, 1, 2,\n"
                "         3]])");
  EXPECT_PYTHON("repr_with(torch.arange(8).view(2, 1, 4), linewidth=15)",
                repr(at::arange(8).view({2, 1, 4}), {.linewidth = 15}),
                "tensor([[[0, 1,\n"
                "          2, 3]],\n"
                "\n"
                "        [[4, 5,\n"
                "          6, 7]]])");
}

TEST(LayoutWrap, KeepsOneElementALineWhereNoneFits) {
  EXPECT_PYTHON("repr_with(torch.arange(2), linewidth=13)", repr(at::arange(2), {.linewidth = 13}),
                "tensor([0, 1])");
  EXPECT_PYTHON("repr_with(torch.arange(3), linewidth=10)", repr(at::arange(3), {.linewidth = 10}),
                "tensor([0,\n"
                "        1,\n"
                "        2])");
  EXPECT_PYTHON("repr_with(torch.arange(3), linewidth=7)", repr(at::arange(3), {.linewidth = 7}),
                "tensor([0,\n"
                "        1,\n"
                "        2])");
  EXPECT_PYTHON("repr_with(torch.arange(3), linewidth=1)", repr(at::arange(3), {.linewidth = 1}),
                "tensor([0,\n"
                "        1,\n"
                "        2])");
  EXPECT_PYTHON("repr_with(torch.arange(3), linewidth=0)", repr(at::arange(3), {.linewidth = 0}),
                "tensor([0,\n"
                "        1,\n"
                "        2])");
}

TEST(LayoutWrap, OfAWideLineKeepsAllOnIt) {
  EXPECT_PYTHON("repr_with(torch.arange(40), linewidth=200)", repr(at::arange(40), {.linewidth = 200}),
                "tensor([ 0,  1,  2,  3,  4,  5,  6,  7,  8,  9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, "
                "21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39])");
}

TEST(LayoutWrap, IgnoresTheTrueWidthOfUnmeasuredElements) {
  EXPECT_PYTHON("repr_with(torch.full((6,), -inf), linewidth=19)",
                repr(at::full({6}, -kInf), {.linewidth = 19}),
                "tensor([-inf, -inf, -inf, -inf,\n"
                "        -inf, -inf])");
}

TEST(LayoutSuffix, StaysOnTheLineThatItFitsWithoutTheParenthesis) {
  const at::Tensor t = i64({1, 2}).to(at::kInt);
  EXPECT_PYTHON("repr_with(torch.tensor([1, 2], dtype=torch.int32), linewidth=34)",
                repr(t, {.linewidth = 34}), "tensor([1, 2], dtype=torch.int32)");
  EXPECT_PYTHON("repr_with(torch.tensor([1, 2], dtype=torch.int32), linewidth=33)",
                repr(t, {.linewidth = 33}),
                "tensor([1, 2],\n"
                "       dtype=torch.int32)");
  EXPECT_PYTHON("repr_with(torch.tensor([1, 2], dtype=torch.int32), linewidth=32)",
                repr(t, {.linewidth = 32}),
                "tensor([1, 2],\n"
                "       dtype=torch.int32)");
}

TEST(LayoutSuffix, IsMeasuredFromTheLastLine) {
  const at::Tensor t = at::arange(4, at::kInt).view({2, 2});
  EXPECT_PYTHON("repr_with(torch.arange(4, dtype=torch.int32).view(2, 2), linewidth=36)",
                repr(t, {.linewidth = 36}),
                "tensor([[0, 1],\n"
                "        [2, 3]], dtype=torch.int32)");
  EXPECT_PYTHON("repr_with(torch.arange(4, dtype=torch.int32).view(2, 2), linewidth=35)",
                repr(t, {.linewidth = 35}),
                "tensor([[0, 1],\n"
                "        [2, 3]],\n"
                "       dtype=torch.int32)");
  EXPECT_REPR("torch.arange(36, dtype=torch.int32) + 10", at::arange(36, at::kInt) + 10,
              "tensor([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,\n"
              "        28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45],\n"
              "       dtype=torch.int32)");
}

TEST(LayoutSuffix, FollowsAnotherOnTheSameLineOrTheNext) {
  const at::Tensor leaf = at::ones({2}, at::kDouble).requires_grad_();
  EXPECT_REPR("torch.ones(2, dtype=torch.float64, requires_grad=True)", leaf,
              "tensor([1., 1.], dtype=torch.float64, requires_grad=True)");
  EXPECT_PYTHON("repr_with(torch.ones(2, dtype=torch.float64, requires_grad=True), linewidth=58)",
                repr(leaf, {.linewidth = 58}), "tensor([1., 1.], dtype=torch.float64, requires_grad=True)");
  EXPECT_PYTHON("repr_with(torch.ones(2, dtype=torch.float64, requires_grad=True), linewidth=57)",
                repr(leaf, {.linewidth = 57}),
                "tensor([1., 1.], dtype=torch.float64,\n"
                "       requires_grad=True)");
  EXPECT_PYTHON("repr_with(torch.ones(2, dtype=torch.float64, requires_grad=True), linewidth=30)",
                repr(leaf, {.linewidth = 30}),
                "tensor([1., 1.],\n"
                "       dtype=torch.float64,\n"
                "       requires_grad=True)");
}

TEST(LayoutSuffix, OfALineThatASuffixBeganIsMeasuredTwoColumnsShorter) {
  const at::Tensor leaf = at::full({2}, 0.125, at::kDouble).requires_grad_();
  EXPECT_PYTHON(
      "repr_with(torch.full((2,), 0.125, dtype=torch.float64, requires_grad=True), "
      "precision=11, linewidth=47)",
      repr(leaf, {.precision = 11, .linewidth = 47}),
      "tensor([0.12500000000, 0.12500000000],\n"
      "       dtype=torch.float64, requires_grad=True)");
  EXPECT_PYTHON(
      "repr_with(torch.full((2,), 0.125, dtype=torch.float64, requires_grad=True), "
      "precision=11, linewidth=46)",
      repr(leaf, {.precision = 11, .linewidth = 46}),
      "tensor([0.12500000000, 0.12500000000],\n"
      "       dtype=torch.float64, requires_grad=True)");
  EXPECT_PYTHON(
      "repr_with(torch.full((2,), 0.125, dtype=torch.float64, requires_grad=True), "
      "precision=11, linewidth=45)",
      repr(leaf, {.precision = 11, .linewidth = 45}),
      "tensor([0.12500000000, 0.12500000000],\n"
      "       dtype=torch.float64,\n"
      "       requires_grad=True)");
}

TEST(LayoutStr, EqualsRepr) {
  EXPECT_PYTHON("str(torch.arange(4.).view(2, 2))", str(at::arange(4.0).view({2, 2})),
                "tensor([[0., 1.],\n"
                "        [2., 3.]])");
  EXPECT_PYTHON("str(torch.tensor(0.1))", str(scalar(0.1f)), "tensor(0.1000)");
}

TEST(LayoutOfAnUndefinedTensor, IsNone) {
  EXPECT_PYTHON("repr(None)", repr(at::Tensor(), PrintOptions{}), "None");
  EXPECT_PYTHON("str(None)", str(at::Tensor()), "None");
}

}  // namespace
}  // namespace torchbook::pyrepr
