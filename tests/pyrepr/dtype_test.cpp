// Tests the elements of each dtype, and when the dtype is named.
#include <c10/core/DefaultDtype.h>
#include <gtest/gtest.h>
#include <torchbook/pyrepr/tensor.h>

#include <cstdint>
#include <limits>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

using namespace torchbook::test;

/// Returns the smallest and the largest value of an integer dtype.
template <class Integer>
at::Tensor extremes() {
  return at::tensor({std::numeric_limits<Integer>::min(), std::numeric_limits<Integer>::max()});
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

TEST(DtypeInteger, IsExactAtTheExtremes) {
  EXPECT_REPR("torch.tensor([-2**63, 2**63 - 1])", extremes<std::int64_t>(),
              "tensor([-9223372036854775808,  9223372036854775807])");
  EXPECT_REPR("torch.tensor([-2**31, 2**31 - 1], dtype=torch.int32)", extremes<std::int32_t>(),
              "tensor([-2147483648,  2147483647], dtype=torch.int32)");
  EXPECT_REPR("torch.tensor([-2**15, 2**15 - 1], dtype=torch.int16)", extremes<std::int16_t>(),
              "tensor([-32768,  32767], dtype=torch.int16)");
  EXPECT_REPR("torch.tensor([-128, 127], dtype=torch.int8)", extremes<std::int8_t>(),
              "tensor([-128,  127], dtype=torch.int8)");
  EXPECT_REPR("torch.tensor([0, 255], dtype=torch.uint8)", extremes<std::uint8_t>(),
              "tensor([  0, 255], dtype=torch.uint8)");
}

TEST(DtypeInteger, IsExactWhereADoubleIsNot) {
  EXPECT_REPR("torch.tensor([2**53 + 1, -2**53 - 1])", i64({(1LL << 53) + 1, -(1LL << 53) - 1}),
              "tensor([ 9007199254740993, -9007199254740993])");
  EXPECT_REPR("torch.tensor(2**63 - 1)", scalar(std::numeric_limits<std::int64_t>::max()),
              "tensor(9223372036854775807)");
}

TEST(DtypeInteger, MeasuresZerosAndSigns) {
  EXPECT_REPR("torch.tensor([0, 10, -5])", i64({0, 10, -5}), "tensor([ 0, 10, -5])");
  EXPECT_REPR("torch.tensor([-1, 1000])", i64({-1, 1000}), "tensor([  -1, 1000])");
  EXPECT_REPR("torch.tensor([-100, 1])", i64({-100, 1}), "tensor([-100,    1])");
  EXPECT_REPR("torch.tensor([1, 1000000000])", i64({1, 1000000000}), "tensor([         1, 1000000000])");
}

TEST(DtypeByte, IsANumberAndNotACharacter) {
  EXPECT_REPR("torch.tensor([65, 0, 10], dtype=torch.uint8)", at::tensor({65, 0, 10}, at::kByte),
              "tensor([65,  0, 10], dtype=torch.uint8)");
  EXPECT_REPR("torch.tensor(65, dtype=torch.int8)", scalar(65, at::kChar), "tensor(65, dtype=torch.int8)");
}

TEST(DtypeBool, IsCapitalisedAndPadded) {
  EXPECT_REPR("torch.tensor([True, False])", bools({true, false}), "tensor([ True, False])");
  EXPECT_REPR("torch.tensor([True, True])", bools({true, true}), "tensor([True, True])");
  EXPECT_REPR("torch.tensor([[False], [True]])", bools({false, true}).view({2, 1}),
              "tensor([[False],\n"
              "        [ True]])");
  EXPECT_REPR("torch.tensor(True)", scalar(true), "tensor(True)");
  EXPECT_REPR("torch.tensor(False)", scalar(false), "tensor(False)");
}

TEST(DtypeDouble, IsNamedAndUsesItsOwnPrecision) {
  EXPECT_REPR("torch.tensor([0.1, 1e8 + 1], dtype=torch.float64)", f64({0.1, 1e8 + 1}),
              "tensor([1.0000e-01, 1.0000e+08], dtype=torch.float64)");
  EXPECT_REPR("torch.tensor(2.5, dtype=torch.float64)", scalar(2.5), "tensor(2.5000, dtype=torch.float64)");
  EXPECT_REPR("torch.tensor([nan, inf], dtype=torch.float64)", f64({kNan, kInf}),
              "tensor([nan, inf], dtype=torch.float64)");
}

TEST(DtypeHalf, GoesThroughFloat) {
  EXPECT_REPR("torch.tensor([0.1, 2.]).half()", f32({0.1f, 2}).to(at::kHalf),
              "tensor([0.1000, 2.0000], dtype=torch.float16)");
  EXPECT_REPR("torch.tensor([65504., -65504.]).half()", f32({65504, -65504}).to(at::kHalf),
              "tensor([ 65504., -65504.], dtype=torch.float16)");
  EXPECT_REPR("torch.tensor([65504., 0.5]).half()", f32({65504, 0.5}).to(at::kHalf),
              "tensor([6.5504e+04, 5.0000e-01], dtype=torch.float16)");
  EXPECT_REPR("torch.tensor([2.**-24, 0.]).half()", f32({5.9604644775390625e-8f, 0}).to(at::kHalf),
              "tensor([5.9605e-08, 0.0000e+00], dtype=torch.float16)");
  EXPECT_REPR("torch.tensor([1e-4, 1.]).half()", f32({1e-4f, 1}).to(at::kHalf),
              "tensor([1.0002e-04, 1.0000e+00], dtype=torch.float16)");
  EXPECT_REPR("torch.tensor([inf, nan, 1.]).half()", f32({kInf, kNan, 1}).to(at::kHalf),
              "tensor([inf, nan, 1.], dtype=torch.float16)");
  EXPECT_REPR("torch.tensor(0.1).half()", scalar(0.1f).to(at::kHalf), "tensor(0.1000, dtype=torch.float16)");
}

TEST(DtypeBfloat16, GoesThroughFloat) {
  EXPECT_REPR("torch.tensor([0.1, 1.]).bfloat16()", f32({0.1f, 1}).to(at::kBFloat16),
              "tensor([0.1001, 1.0000], dtype=torch.bfloat16)");
  EXPECT_REPR("torch.tensor([3e38, 1.]).bfloat16()", f32({3e38f, 1}).to(at::kBFloat16),
              "tensor([3.0041e+38, 1.0000e+00], dtype=torch.bfloat16)");
  EXPECT_REPR("torch.tensor([1., 257.]).bfloat16()", f32({1, 257}).to(at::kBFloat16),
              "tensor([  1., 256.], dtype=torch.bfloat16)");
  EXPECT_REPR("torch.tensor([[-inf, 0.], [1., 2.]]).bfloat16()",
              f32({-kInf, 0, 1, 2}).view({2, 2}).to(at::kBFloat16),
              "tensor([[-inf, 0.],\n"
              "        [1., 2.]], dtype=torch.bfloat16)");
}

TEST(DtypeSuffix, IsLeftOutForTheDefaultItsComplexPartnerInt64AndBool) {
  EXPECT_REPR("torch.tensor([1.5])", f32({1.5}), "tensor([1.5000])");
  EXPECT_REPR("torch.tensor([1])", i64({1}), "tensor([1])");
  EXPECT_REPR("torch.tensor([True])", bools({true}), "tensor([True])");
  EXPECT_REPR("torch.tensor([1j])", c64({{0, 1}}), "tensor([0.+1.j])");
  EXPECT_REPR("torch.tensor([1j], dtype=torch.complex128)", c128({{0, 1}}),
              "tensor([0.+1.j], dtype=torch.complex128)");
}

TEST(DtypeSuffix, FollowsTheDefaultDtype) {
  const DefaultDtype doubles(at::kDouble);
  EXPECT_PYTHON("repr_with_default(torch.float64, lambda: torch.tensor([1.5]))", repr(f64({1.5})),
                "tensor([1.5000])");
  EXPECT_PYTHON("repr_with_default(torch.float64, lambda: torch.tensor([1.5], dtype=torch.float32))",
                repr(f32({1.5})), "tensor([1.5000], dtype=torch.float32)");
  EXPECT_PYTHON("repr_with_default(torch.float64, lambda: torch.tensor([1j]))", repr(c128({{0, 1}})),
                "tensor([0.+1.j])");
  EXPECT_PYTHON("repr_with_default(torch.float64, lambda: torch.tensor([1j], dtype=torch.complex64))",
                repr(c64({{0, 1}})), "tensor([0.+1.j], dtype=torch.complex64)");
  EXPECT_PYTHON("repr_with_default(torch.float64, lambda: torch.zeros(0))", repr(at::zeros({0})),
                "tensor([])");
}

TEST(DtypeSuffix, FollowsAHalfDefaultWhosePartnerIsComplex64) {
  const DefaultDtype halves(at::kHalf);
  EXPECT_PYTHON("repr_with_default(torch.float16, lambda: torch.zeros(2))", repr(at::zeros({2})),
                "tensor([0., 0.])");
  EXPECT_PYTHON("repr_with_default(torch.float16, lambda: torch.tensor([1j], dtype=torch.complex64))",
                repr(c64({{0, 1}})), "tensor([0.+1.j])");
}

TEST(DtypeSuffix, IsNamedInAnEmptyTensorUnlessItIsTheDefault) {
  EXPECT_REPR("torch.zeros(0)", at::zeros({0}), "tensor([])");
  EXPECT_REPR("torch.zeros(0, dtype=torch.int64)", at::zeros({0}, at::kLong),
              "tensor([], dtype=torch.int64)");
  EXPECT_REPR("torch.zeros(0, dtype=torch.bool)", at::zeros({0}, at::kBool), "tensor([], dtype=torch.bool)");
  EXPECT_REPR("torch.zeros(0, dtype=torch.complex64)", at::zeros({0}, at::kComplexFloat),
              "tensor([], dtype=torch.complex64)");
  EXPECT_REPR("torch.zeros(0, dtype=torch.float64)", at::zeros({0}, at::kDouble),
              "tensor([], dtype=torch.float64)");
  EXPECT_REPR("torch.zeros(0, dtype=torch.float16)", at::zeros({0}, at::kHalf),
              "tensor([], dtype=torch.float16)");
}

}  // namespace
}  // namespace torchbook::pyrepr
