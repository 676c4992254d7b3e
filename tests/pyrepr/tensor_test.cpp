// Shows each rule of printing tensors by an example, and tests what the random cases of tests/differential do
// not reach.
#include <ATen/ops/arange.h>
#include <c10/core/DefaultDtype.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torchbook/pyrepr/fmt.h>
#include <torchbook/pyrepr/release.h>
#include <torchbook/pyrepr/tensor.h>

#include <cstdint>
#include <locale>
#include <stdexcept>
#include <string>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

using namespace torchbook::test;

TEST(TensorNumbers, HaveOneFormat) {
  EXPECT_REPR("torch.tensor([1., 20., 300.])", f32({1, 20, 300}), "tensor([  1.,  20., 300.])");
  EXPECT_REPR("torch.tensor([1.5, -2.5])", f32({1.5, -2.5}), "tensor([ 1.5000, -2.5000])");
  EXPECT_REPR("torch.tensor([1., 1001.])", f32({1, 1001}), "tensor([1.0000e+00, 1.0010e+03])");
  EXPECT_REPR("torch.tensor([1e-4])", f32({1e-4f}), "tensor([1.0000e-04])");
  EXPECT_REPR("torch.tensor([1e-4], dtype=torch.float64)", f64({1e-4}),
              "tensor([0.0001], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([-1, 1000])", i64({-1, 1000}), "tensor([  -1, 1000])");
  EXPECT_REPR("torch.tensor([-10, 5])", i64({-10, 5}), "tensor([-10,   5])");
  EXPECT_REPR("torch.tensor([-5., 2.])", f32({-5, 2}), "tensor([-5.,  2.])");
  EXPECT_REPR("torch.tensor([1e-100, 1.], dtype=torch.float64)", f64({1e-100, 1}),
              "tensor([1.0000e-100,  1.0000e+00], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([True, False])", bools({true, false}), "tensor([ True, False])");
  EXPECT_REPR("torch.tensor([complex(0.5, inf), complex(-inf, 0.25)])", c64({{0.5, kInf}, {-kInf, 0.25}}),
              "tensor([0.5000+infj,   -inf+0.2500j])");
  EXPECT_REPR("torch.tensor([0.1, 2.]).half()", f32({0.1f, 2}).to(at::kHalf),
              "tensor([0.1000, 2.0000], dtype=torch.float16)");
  EXPECT_REPR("torch.tensor([[0.25, -inf], [0.5, nan]])", f32({0.25, -kInf, 0.5, kNan}).view({2, 2}),
              "tensor([[0.2500,   -inf],\n"
              "        [0.5000,    nan]])");
}

TEST(TensorNumbers, CountWhereverTheFirstFractionIs) {
  EXPECT_REPR("torch.tensor([0.5, 100., 2.])", f32({0.5, 100, 2}), "tensor([  0.5000, 100.0000,   2.0000])");
  EXPECT_REPR("torch.tensor([1.5, 0.001, 2.])", f32({1.5, 0.001f, 2}),
              "tensor([1.5000e+00, 1.0000e-03, 2.0000e+00])");
  EXPECT_REPR("torch.tensor([0.5, -100., -2.])", f32({0.5, -100, -2}),
              "tensor([   0.5000, -100.0000,   -2.0000])");
  EXPECT_REPR("torch.tensor([1.5, -0.001, -2.])", f32({1.5, -0.001f, -2}),
              "tensor([ 1.5000e+00, -1.0000e-03, -2.0000e+00])");
  EXPECT_REPR("torch.tensor([0.5, inf, 2.])", f32({0.5, kInf, 2}), "tensor([0.5000,    inf, 2.0000])");
  EXPECT_REPR("torch.tensor([0.5, 100., 2., 100.])[::2]", f32({0.5, 100, 2, 100}).slice(0, 0, 4, 2),
              "tensor([0.5000, 2.0000])");
}

TEST(TensorLayout, HasLinesForEachDimension) {
  EXPECT_REPR("torch.arange(8).view(2, 2, 2)", at::arange(8).view({2, 2, 2}),
              "tensor([[[0, 1],\n"
              "         [2, 3]],\n"
              "\n"
              "        [[4, 5],\n"
              "         [6, 7]]])");
  EXPECT_REPR("torch.arange(19) + 10", at::arange(19) + 10,
              "tensor([10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27,\n"
              "        28])");
  EXPECT_REPR("torch.zeros(0, 3)", at::zeros({0, 3}), "tensor([], size=(0, 3))");
}

TEST(TensorLayout, OfComplexNumbersCountsTheirWidth) {
  const at::Tensor t = c64({{1.5, 1}, {2, -2}, {3, 3}});
  EXPECT_PYTHON("repr_with(torch.tensor([1.5 + 1j, 2 - 2j, 3 + 3j]), linewidth=31)",
                repr(t, {.linewidth = 31}),
                "tensor([1.5000+1.j, 2.0000-2.j,\n"
                "        3.0000+3.j])");
  EXPECT_PYTHON("repr_with(torch.tensor([1.5 + 1j, 2 - 2j, 3 + 3j]), linewidth=30)",
                repr(t, {.linewidth = 30}),
                "tensor([1.5000+1.j,\n"
                "        2.0000-2.j,\n"
                "        3.0000+3.j])");
}

TEST(TensorLayout, BreaksBeforeASuffixThatDoesNotFit) {
  const at::Tensor leaf = at::ones({2}, at::kDouble).requires_grad_();
  EXPECT_PYTHON("repr_with(torch.ones(2, dtype=torch.float64, requires_grad=True), linewidth=57)",
                repr(leaf, {.linewidth = 57}),
                "tensor([1., 1.], dtype=torch.float64,\n"
                "       requires_grad=True)");
  EXPECT_PYTHON("repr_with(torch.ones(2, dtype=torch.float64, requires_grad=True), linewidth=58)",
                repr(leaf, {.linewidth = 58}), "tensor([1., 1.], dtype=torch.float64, requires_grad=True)");
  const at::Tensor matrix = at::ones({2, 2}, at::kDouble);
  EXPECT_PYTHON("repr_with(torch.ones(2, 2, dtype=torch.float64), linewidth=39)",
                repr(matrix, {.linewidth = 39}),
                "tensor([[1., 1.],\n"
                "        [1., 1.]],\n"
                "       dtype=torch.float64)");
  EXPECT_PYTHON("repr_with(torch.ones(2, 2, dtype=torch.float64), linewidth=40)",
                repr(matrix, {.linewidth = 40}),
                "tensor([[1., 1.],\n"
                "        [1., 1.]], dtype=torch.float64)");
}

TEST(TensorLayout, CountsALineThatASuffixStarts) {
  const at::Tensor t = at::empty({2}, at::device(at::kMeta).dtype(at::kDouble)).requires_grad_();
  const auto shown = [&](std::int64_t linewidth) { return repr(t, {.linewidth = linewidth}); };
  const std::string python =
      "repr_with(torch.empty(2, dtype=torch.float64, device='meta', requires_grad=True), linewidth=";
  EXPECT_PYTHON(python + "45)", shown(45),
                "tensor(..., device='meta', size=(2,),\n"
                "       dtype=torch.float64,\n"
                "       requires_grad=True)");
  EXPECT_PYTHON(python + "46)", shown(46),
                "tensor(..., device='meta', size=(2,),\n"
                "       dtype=torch.float64, requires_grad=True)");
}

TEST(TensorSummary, IsMadeOfTheEnds) {
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

TEST(TensorSummary, BeginsAboveTheThreshold) {
  EXPECT_PYTHON("repr_with(torch.arange(8), threshold=8)", repr(at::arange(8), {.threshold = 8}),
                "tensor([0, 1, 2, 3, 4, 5, 6, 7])");
  EXPECT_PYTHON("repr_with(torch.arange(8), threshold=7)", repr(at::arange(8), {.threshold = 7}),
                "tensor([0, 1, 2,  ..., 5, 6, 7])");
  EXPECT_PYTHON("repr_with(torch.arange(8), threshold=7, edgeitems=1)",
                repr(at::arange(8), {.threshold = 7, .edgeitems = 1}), "tensor([0,  ..., 7])");
}

TEST(TensorText, OfStrIsThatOfRepr) {
  EXPECT_PYTHON("str(torch.tensor(0.1))", str(scalar(0.1f)), "tensor(0.1000)");
  EXPECT_PYTHON("repr(None)", repr(at::Tensor(), PrintOptions{}), "None");
  EXPECT_PYTHON("str(None)", str(at::Tensor()), "None");
}

/// A locale that writes 1234.5 as 1.234,5.
struct GermanPunctuation : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(TensorText, IgnoresTheLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale(), new GermanPunctuation));
  EXPECT_REPR("torch.tensor([1234.5, 12345.])", f32({1234.5, 12345}), "tensor([ 1234.5000, 12345.0000])");
  EXPECT_REPR("torch.zeros(2000, 0)", at::zeros({2000, 0}), "tensor([], size=(2000, 0))");
  std::locale::global(before);
}

/// Changes the default dtype while this object lives.
class DefaultDtype {
 public:
  explicit DefaultDtype(at::ScalarType dtype) : outer_(c10::get_default_dtype()) {
    c10::set_default_dtype(c10::scalarTypeToTypeMeta(dtype));
  }
  ~DefaultDtype() { c10::set_default_dtype(outer_); }
  DefaultDtype(const DefaultDtype&) = delete;
  DefaultDtype& operator=(const DefaultDtype&) = delete;

 private:
  caffe2::TypeMeta outer_;
};

TEST(TensorDtype, FollowsAHalfDefaultWhosePartnerIsComplex64) {
  const DefaultDtype halves(at::kHalf);
  EXPECT_PYTHON("repr_with_default(torch.float16, lambda: torch.zeros(2))", repr(at::zeros({2})),
                "tensor([0., 0.])");
  EXPECT_PYTHON("repr_with_default(torch.float16, lambda: torch.tensor([1j], dtype=torch.complex64))",
                repr(c64({{0, 1}})), "tensor([0.+1.j])");
}

#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 3)
TEST(TensorDtype, WithoutNumbersIsNamedAndNotShown) {
  EXPECT_REPR("torch.empty(2, dtype=torch.uint4, device='meta')",
              at::empty({2}, at::device(at::kMeta).dtype(at::kUInt4)),
              "tensor(..., device='meta', size=(2,), dtype=torch.uint4)");
  for (const auto dtype : {at::kUInt4, at::kBits8})
    EXPECT_THROW(static_cast<void>(repr(i64({0}).to(at::kByte).view(dtype))), std::invalid_argument);
}

TEST(TensorDtype, OfLargeUnsignedIntsIsNoCharacter) {
  EXPECT_PYTHON_RAISES("f'{torch.tensor(-1).view(torch.uint64):c}'", "OverflowError",
                       fmt::format("{:c}", i64({-1}).view(at::kUInt64)[0]), fmt::format_error);
}
#endif

#if __has_include(<c10/util/Float4_e2m1fn_x2.h>)
TEST(TensorDtype, OfTwoNumbersHasNoItem) {
  const at::Tensor t = i64({1}).to(at::kByte).view(at::kFloat4_e2m1fn_x2)[0];
  EXPECT_PYTHON_RAISES("repr(torch.tensor([1], dtype=torch.uint8).view(torch.float4_e2m1fn_x2)[0])",
                       "NotImplementedError", repr(t), std::invalid_argument);
  EXPECT_PYTHON_RAISES("f'{torch.tensor([1], dtype=torch.uint8).view(torch.float4_e2m1fn_x2)[0]}'",
                       "NotImplementedError", fmt::format("{}", t), std::exception);
}
#endif

}  // namespace
}  // namespace torchbook::pyrepr
