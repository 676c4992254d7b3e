// Tests the summary of a tensor with more elements than the threshold.
#include <gtest/gtest.h>
#include <torch/version.h>
#include <torchbook/pyrepr/python.h>
#include <torchbook/pyrepr/tensor.h>

#include <cstdint>
#include <limits>
#include <string>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

using namespace torchbook::test;

bool has_ellipsis(const at::Tensor& tensor) { return repr(tensor).find("...") != std::string::npos; }

TEST(SummaryThreshold, IsExceededByAThousandAndOneElements) {
  EXPECT_REPR("'...' in repr(torch.zeros(1000))", has_ellipsis(at::zeros({1000})), "False");
  EXPECT_REPR("torch.zeros(1001)", at::zeros({1001}), "tensor([0., 0., 0.,  ..., 0., 0., 0.])");
}

TEST(SummaryThreshold, CountsTheElementsOfAllDimensions) {
  EXPECT_PYTHON("repr_with(torch.arange(8), threshold=8)", repr(at::arange(8), {.threshold = 8}),
                "tensor([0, 1, 2, 3, 4, 5, 6, 7])");
  EXPECT_PYTHON("repr_with(torch.arange(8), threshold=7)", repr(at::arange(8), {.threshold = 7}),
                "tensor([0, 1, 2,  ..., 5, 6, 7])");
  EXPECT_PYTHON("repr_with(torch.arange(8).view(1, 8), threshold=7)",
                repr(at::arange(8).view({1, 8}), {.threshold = 7}), "tensor([[0, 1, 2,  ..., 5, 6, 7]])");
  EXPECT_PYTHON("repr_with(torch.arange(8), threshold=0)", repr(at::arange(8), {.threshold = 0}),
                "tensor([0, 1, 2,  ..., 5, 6, 7])");
  EXPECT_PYTHON("repr_with(torch.tensor(5), threshold=0)", repr(scalar(5, at::kLong), {.threshold = 0}),
                "tensor(5)");
  EXPECT_PYTHON("repr_with(torch.zeros(0), threshold=0)", repr(at::zeros({0}), {.threshold = 0}),
                "tensor([])");
}

TEST(SummaryDimension, IsCutOnlyWhereLongerThanTwiceEdgeitems) {
  EXPECT_PYTHON("repr_with(torch.arange(6), threshold=1)", repr(at::arange(6), {.threshold = 1}),
                "tensor([0, 1, 2, 3, 4, 5])");
  EXPECT_PYTHON("repr_with(torch.arange(7), threshold=1)", repr(at::arange(7), {.threshold = 1}),
                "tensor([0, 1, 2,  ..., 4, 5, 6])");
  EXPECT_REPR("torch.arange(2 * 501).view(2, 501)", at::arange(2 * 501).view({2, 501}),
              "tensor([[   0,    1,    2,  ...,  498,  499,  500],\n"
              "        [ 501,  502,  503,  ...,  999, 1000, 1001]])");
  EXPECT_REPR("torch.arange(2 * 501).view(501, 2)", at::arange(2 * 501).view({501, 2}),
              "tensor([[   0,    1],\n"
              "        [   2,    3],\n"
              "        [   4,    5],\n"
              "        ...,\n"
              "        [ 996,  997],\n"
              "        [ 998,  999],\n"
              "        [1000, 1001]])");
  EXPECT_REPR("'...' in repr(torch.zeros(6, 6, 6, 6))", has_ellipsis(at::zeros({6, 6, 6, 6})), "False");
}

TEST(SummaryMatrix, LeavesOutRowsAndColumns) {
  EXPECT_REPR("torch.arange(2500).view(50, 50)", at::arange(2500).view({50, 50}),
              "tensor([[   0,    1,    2,  ...,   47,   48,   49],\n"
              "        [  50,   51,   52,  ...,   97,   98,   99],\n"
              "        [ 100,  101,  102,  ...,  147,  148,  149],\n"
              "        ...,\n"
              "        [2350, 2351, 2352,  ..., 2397, 2398, 2399],\n"
              "        [2400, 2401, 2402,  ..., 2447, 2448, 2449],\n"
              "        [2450, 2451, 2452,  ..., 2497, 2498, 2499]])");
  EXPECT_REPR("torch.arange(1200.).view(30, 40) / 8", at::arange(1200.0).view({30, 40}) / 8,
              "tensor([[0.0000e+00, 1.2500e-01, 2.5000e-01,  ..., 4.6250e+00, 4.7500e+00,\n"
              "         4.8750e+00],\n"
              "        [5.0000e+00, 5.1250e+00, 5.2500e+00,  ..., 9.6250e+00, 9.7500e+00,\n"
              "         9.8750e+00],\n"
              "        [1.0000e+01, 1.0125e+01, 1.0250e+01,  ..., 1.4625e+01, 1.4750e+01,\n"
              "         1.4875e+01],\n"
              "        ...,\n"
              "        [1.3500e+02, 1.3512e+02, 1.3525e+02,  ..., 1.3962e+02, 1.3975e+02,\n"
              "         1.3988e+02],\n"
              "        [1.4000e+02, 1.4012e+02, 1.4025e+02,  ..., 1.4462e+02, 1.4475e+02,\n"
              "         1.4488e+02],\n"
              "        [1.4500e+02, 1.4512e+02, 1.4525e+02,  ..., 1.4962e+02, 1.4975e+02,\n"
              "         1.4988e+02]])");
}

TEST(SummaryBlocks, PutTheEllipsisBetweenBlankLines) {
  EXPECT_PYTHON("repr_with(torch.arange(27).view(3, 3, 3), threshold=9, edgeitems=1)",
                repr(at::arange(27).view({3, 3, 3}), {.threshold = 9, .edgeitems = 1}),
                "tensor([[[ 0,  ...,  2],\n"
                "         ...,\n"
                "         [ 6,  ...,  8]],\n"
                "\n"
                "        ...,\n"
                "\n"
                "        [[18,  ..., 20],\n"
                "         ...,\n"
                "         [24,  ..., 26]]])");
  EXPECT_PYTHON("repr_with(torch.arange(24).view(3, 2, 2, 2), threshold=9, edgeitems=1)",
                repr(at::arange(24).view({3, 2, 2, 2}), {.threshold = 9, .edgeitems = 1}),
                "tensor([[[[ 0,  1],\n"
                "          [ 2,  3]],\n"
                "\n"
                "         [[ 4,  5],\n"
                "          [ 6,  7]]],\n"
                "\n"
                "\n"
                "        ...,\n"
                "\n"
                "\n"
                "        [[[16, 17],\n"
                "          [18, 19]],\n"
                "\n"
                "         [[20, 21],\n"
                "          [22, 23]]]])");
}

TEST(SummaryFormat, IsDecidedByTheElementsShown) {
  EXPECT_REPR("torch.cat([torch.ones(500), torch.tensor([1e9, 0.5]), torch.ones(500)])",
              at::cat({at::ones({500}), f32({1e9f, 0.5}), at::ones({500})}),
              "tensor([1., 1., 1.,  ..., 1., 1., 1.])");
  EXPECT_REPR("torch.cat([torch.ones(1000), torch.tensor([1e9])])", at::cat({at::ones({1000}), f32({1e9f})}),
              "tensor([1.0000e+00, 1.0000e+00, 1.0000e+00,  ..., 1.0000e+00, 1.0000e+00,\n"
              "        1.0000e+09])");
  EXPECT_REPR("torch.cat([torch.zeros(500).long(), torch.tensor([-123456]), torch.zeros(500).long()])",
              at::cat({at::zeros({500}, at::kLong), i64({-123456}), at::zeros({500}, at::kLong)}),
              "tensor([0, 0, 0,  ..., 0, 0, 0])");
}

TEST(SummaryFormat, OfAMatrixReadsTheCornersOnly) {
  at::Tensor t = at::zeros({40, 40});
  t[20][0] = -1000;
  t[0][20] = 0.5;
  t[39][39] = 25;
  EXPECT_PYTHON(
      "repr(torch.zeros(40, 40).index_put_((torch.tensor([20, 0, 39]), torch.tensor([0, 20, 39])), "
      "torch.tensor([-1000., 0.5, 25.])))",
      repr(t),
      "tensor([[ 0.,  0.,  0.,  ...,  0.,  0.,  0.],\n"
      "        [ 0.,  0.,  0.,  ...,  0.,  0.,  0.],\n"
      "        [ 0.,  0.,  0.,  ...,  0.,  0.,  0.],\n"
      "        ...,\n"
      "        [ 0.,  0.,  0.,  ...,  0.,  0.,  0.],\n"
      "        [ 0.,  0.,  0.,  ...,  0.,  0.,  0.],\n"
      "        [ 0.,  0.,  0.,  ...,  0.,  0., 25.]])");
}

TEST(SummaryFormat, OfBoolsIsTheWidthOfTheShown) {
  EXPECT_REPR("torch.ones(1001).bool()", at::ones({1001}).to(at::kBool),
              "tensor([True, True, True,  ..., True, True, True])");
  EXPECT_REPR("torch.arange(1001) % 2 == 0", at::arange(1001) % 2 == 0,
              "tensor([ True, False,  True,  ...,  True, False,  True])");
}

TEST(SummaryWrap, CountsTheEllipsisAsAnElement) {
  EXPECT_PYTHON("repr_with(torch.arange(20), threshold=5, linewidth=35)",
                repr(at::arange(20), {.threshold = 5, .linewidth = 35}),
                "tensor([ 0,  1,  2,  ..., 17, 18, 19])");
  EXPECT_PYTHON("repr_with(torch.arange(20), threshold=5, linewidth=34)",
                repr(at::arange(20), {.threshold = 5, .linewidth = 34}),
                "tensor([ 0,  1,  2,  ..., 17, 18,\n"
                "        19])");
  EXPECT_PYTHON("repr_with(torch.arange(20), threshold=5, linewidth=23)",
                repr(at::arange(20), {.threshold = 5, .linewidth = 23}),
                "tensor([ 0,  1,  2,  ...,\n"
                "        17, 18, 19])");
  EXPECT_PYTHON("repr_with(torch.arange(20), threshold=5, linewidth=19)",
                repr(at::arange(20), {.threshold = 5, .linewidth = 19}),
                "tensor([ 0,  1,  2,\n"
                "         ..., 17, 18,\n"
                "        19])");
  EXPECT_PYTHON("repr_with(torch.arange(20), threshold=5, linewidth=12)",
                repr(at::arange(20), {.threshold = 5, .linewidth = 12}),
                "tensor([ 0,\n"
                "         1,\n"
                "         2,\n"
                "         ...,\n"
                "        17,\n"
                "        18,\n"
                "        19])");
  EXPECT_REPR("torch.arange(2000.) / 8 - 100", at::arange(2000.0) / 8 - 100,
              "tensor([-100.0000,  -99.8750,  -99.7500,  ...,  149.6250,  149.7500,\n"
              "         149.8750])");
  EXPECT_REPR("2. ** torch.arange(1001, dtype=torch.float64)", at::pow(2.0, at::arange(1001, at::kDouble)),
              "tensor([ 1.0000e+00,  2.0000e+00,  4.0000e+00,  ..., 2.6788e+300,\n"
              "        5.3575e+300, 1.0715e+301], dtype=torch.float64)");
}

TEST(SummaryEdgeitems, AreShownAtEitherEnd) {
  EXPECT_PYTHON("repr_with(torch.arange(9), threshold=5, edgeitems=1)",
                repr(at::arange(9), {.threshold = 5, .edgeitems = 1}), "tensor([0,  ..., 8])");
  EXPECT_PYTHON("repr_with(torch.arange(12), threshold=5, edgeitems=5)",
                repr(at::arange(12), {.threshold = 5, .edgeitems = 5}),
                "tensor([ 0,  1,  2,  3,  4,  ...,  7,  8,  9, 10, 11])");
  EXPECT_PYTHON("repr_with(torch.arange(10), threshold=5, edgeitems=5)",
                repr(at::arange(10), {.threshold = 5, .edgeitems = 5}),
                "tensor([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])");
  EXPECT_PYTHON("repr_with(torch.arange(9).view(3, 3), threshold=5, edgeitems=1)",
                repr(at::arange(9).view({3, 3}), {.threshold = 5, .edgeitems = 1}),
                "tensor([[0,  ..., 2],\n"
                "        ...,\n"
                "        [6,  ..., 8]])");
  EXPECT_PYTHON("repr_with(torch.arange(9), threshold=5, edgeitems=2**63 - 1)",
                repr(at::arange(9), {.threshold = 5, .edgeitems = std::numeric_limits<std::int64_t>::max()}),
                "tensor([0, 1, 2, 3, 4, 5, 6, 7, 8])");
}

// Later releases show the size whenever edgeitems is 0, even if nothing is summarised.
#if TORCH_VERSION_MAJOR < 2
TEST(SummaryEdgeitems, OfNoneLeaveAShortTensorAlone) {
  EXPECT_PYTHON("repr_with(torch.arange(4), edgeitems=0)", repr(at::arange(4), {.edgeitems = 0}),
                "tensor([0, 1, 2, 3])");
  EXPECT_PYTHON("repr_with(torch.tensor(4), edgeitems=0, threshold=0)",
                repr(scalar(4, at::kLong), {.threshold = 0, .edgeitems = 0}), "tensor(4)");
}
#else
TEST(SummaryEdgeitems, OfNoneNameTheSizeOfAShortTensor) {
  EXPECT_PYTHON("repr_with(torch.arange(4), edgeitems=0)", repr(at::arange(4), {.edgeitems = 0}),
                "tensor([0, 1, 2, 3], size=(4,))");
  EXPECT_PYTHON("repr_with(torch.tensor(4), edgeitems=0, threshold=0)",
                repr(scalar(4, at::kLong), {.threshold = 0, .edgeitems = 0}), "tensor(4, size=())");
}
#endif

// 1.13 slices a vector's end as [-0:], which is all of it, and raises an error for a matrix. Later releases
// show only the ellipsis.
#if TORCH_VERSION_MAJOR < 2
TEST(SummaryEdgeitems, OfNoneShowAVectorAfterTheEllipsis) {
  EXPECT_PYTHON("repr_with(torch.arange(4), threshold=2, edgeitems=0)",
                repr(at::arange(4), {.threshold = 2, .edgeitems = 0}), "tensor([ ..., 0, 1, 2, 3])");
  EXPECT_PYTHON("repr_with(torch.tensor([0.5, 100.]), threshold=1, edgeitems=0)",
                repr(f32({0.5, 100}), {.threshold = 1, .edgeitems = 0}),
                "tensor([ ...,   0.5000, 100.0000])");
}

TEST(SummaryEdgeitems, OfNoneShowAMatrixAsTheEllipsis) {
  EXPECT_EQ(repr(at::arange(4).view({2, 2}), {.threshold = 2, .edgeitems = 0}), "tensor([...])");
}
#endif

TEST(SummarySuffix, FollowsTheLastLine) {
  EXPECT_REPR("torch.zeros(1001, dtype=torch.float64)", at::zeros({1001}, at::kDouble),
              "tensor([0., 0., 0.,  ..., 0., 0., 0.], dtype=torch.float64)");
  EXPECT_REPR("torch.zeros(40, 40, requires_grad=True)", at::zeros({40, 40}).requires_grad_(),
              "tensor([[0., 0., 0.,  ..., 0., 0., 0.],\n"
              "        [0., 0., 0.,  ..., 0., 0., 0.],\n"
              "        [0., 0., 0.,  ..., 0., 0., 0.],\n"
              "        ...,\n"
              "        [0., 0., 0.,  ..., 0., 0., 0.],\n"
              "        [0., 0., 0.,  ..., 0., 0., 0.],\n"
              "        [0., 0., 0.,  ..., 0., 0., 0.]], requires_grad=True)");
}

}  // namespace
}  // namespace torchbook::pyrepr
