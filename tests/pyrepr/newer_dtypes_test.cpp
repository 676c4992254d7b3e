// Tests dtypes that only newer releases of LibTorch have.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torchbook/pyrepr/fmt.h>
#include <torchbook/pyrepr/release.h>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <stdexcept>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

using namespace torchbook::test;

/// Returns `torch.tensor([...], dtype=torch.uint8).view(dtype)`: the bytes are the elements' bits.
[[maybe_unused]] at::Tensor bits(std::initializer_list<std::int64_t> bytes, at::ScalarType dtype) {
  return i64(bytes).to(at::kByte).view(dtype);
}

#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 3)
TEST(DtypeUnsigned, IsExactAtTheExtremes) {
  EXPECT_REPR("torch.tensor([0, 2**16 - 1], dtype=torch.uint16)", i64({0, 65535}).to(at::kUInt16),
              "tensor([    0, 65535], dtype=torch.uint16)");
  EXPECT_REPR("torch.tensor([0, 2**32 - 1], dtype=torch.uint32)", i64({0, 4294967295}).to(at::kUInt32),
              "tensor([         0, 4294967295], dtype=torch.uint32)");
  EXPECT_REPR("torch.tensor([0, -1]).view(torch.uint64)", i64({0, -1}).view(at::kUInt64),
              "tensor([                   0, 18446744073709551615], dtype=torch.uint64)");
}

TEST(DtypeUnsigned, FormatsItsItemBeyondInt64) {
  const at::Tensor t = i64({-1, std::numeric_limits<std::int64_t>::min(), -1025, -1024, 7}).view(at::kUInt64);
  EXPECT_PYTHON("f'{torch.tensor(-1).view(torch.uint64)}'", fmt::format("{}", t[0]), "18446744073709551615");
  EXPECT_PYTHON("f'{torch.tensor(-2**63).view(torch.uint64):,}'", fmt::format("{:,}", t[1]),
                "9,223,372,036,854,775,808");
  EXPECT_PYTHON("f'{torch.tensor(-1).view(torch.uint64):x}'", fmt::format("{:x}", t[0]), "ffffffffffffffff");
  EXPECT_PYTHON("f'{torch.tensor(-1).view(torch.uint64):.3e}'", fmt::format("{:.3e}", t[0]), "1.845e+19");
  EXPECT_PYTHON("f'{torch.tensor(-1025).view(torch.uint64):.1f}'", fmt::format("{:.1f}", t[2]),
                "18446744073709549568.0");
  EXPECT_PYTHON("f'{torch.tensor(-1024).view(torch.uint64):f}'", fmt::format("{:f}", t[3]),
                "18446744073709551616.000000");
  EXPECT_PYTHON("f'{torch.tensor(7).view(torch.uint64):>+4}'", fmt::format("{:>+4}", t[4]), "  +7");
  EXPECT_PYTHON("f'{torch.tensor(65535, dtype=torch.uint16):#x}'",
                fmt::format("{:#x}", i64({65535}).to(at::kUInt16)[0]), "0xffff");
  EXPECT_PYTHON("f'{torch.tensor(2**32 - 1, dtype=torch.uint32)}'",
                fmt::format("{}", i64({4294967295}).to(at::kUInt32)[0]), "4294967295");
  EXPECT_PYTHON_RAISES("f'{torch.tensor(-1).view(torch.uint64):c}'", "OverflowError",
                       fmt::format("{:c}", t[0]), fmt::format_error);
}

TEST(DtypeWithoutNumbers, IsNamedAndNotShown) {
  EXPECT_REPR("torch.empty(2, dtype=torch.uint4, device='meta')",
              at::empty({2}, at::device(at::kMeta).dtype(at::kUInt4)),
              "tensor(..., device='meta', size=(2,), dtype=torch.uint4)");
  EXPECT_THROW(static_cast<void>(repr(bits({0}, at::kUInt4))), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(repr(bits({0}, at::kBits8))), std::invalid_argument);
}
#endif

#if __has_include(<c10/util/Float8_e4m3fn.h>)
TEST(DtypeFloat8, E4m3fnHasNoInfinity) {
  EXPECT_REPR("torch.tensor([0, 56, 64, 184], dtype=torch.uint8).view(torch.float8_e4m3fn)",
              bits({0, 56, 64, 184}, at::kFloat8_e4m3fn),
              "tensor([ 0.,  1.,  2., -1.], dtype=torch.float8_e4m3fn)");
  EXPECT_REPR("torch.tensor([1, 127, 128, 124, 252], dtype=torch.uint8).view(torch.float8_e4m3fn)",
              bits({1, 127, 128, 124, 252}, at::kFloat8_e4m3fn),
              "tensor([ 1.9531e-03,         nan, -0.0000e+00,  3.8400e+02, -3.8400e+02],\n"
              "       dtype=torch.float8_e4m3fn)");
}

TEST(DtypeFloat8, E5m2HasInfinities) {
  EXPECT_REPR("torch.tensor([0, 56, 64, 184], dtype=torch.uint8).view(torch.float8_e5m2)",
              bits({0, 56, 64, 184}, at::kFloat8_e5m2),
              "tensor([ 0.0000,  0.5000,  2.0000, -0.5000], dtype=torch.float8_e5m2)");
  EXPECT_REPR("torch.tensor([1, 127, 128, 124, 252], dtype=torch.uint8).view(torch.float8_e5m2)",
              bits({1, 127, 128, 124, 252}, at::kFloat8_e5m2),
              "tensor([1.5259e-05,        nan, -0.0000e+00,        inf,       -inf],\n"
              "       dtype=torch.float8_e5m2)");
}

TEST(DtypeFloat8, IsPrintedAsAnyOther) {
  const auto f8 = [](std::initializer_list<std::int64_t> bytes) { return bits(bytes, at::kFloat8_e4m3fn); };
  EXPECT_REPR("torch.tensor([127], dtype=torch.uint8).view(torch.float8_e4m3fn)[0]", f8({127})[0],
              "tensor(nan, dtype=torch.float8_e4m3fn)");
  EXPECT_REPR(
      "torch.tensor([56, 64], dtype=torch.uint8).view(torch.float8_e4m3fn).expand(1000, 2).reshape(-1)",
      f8({56, 64}).expand({1000, 2}).reshape({-1}),
      "tensor([1., 2., 1.,  ..., 2., 1., 2.], dtype=torch.float8_e4m3fn)");
  EXPECT_REPR("torch.tensor([1, 2, 3, 4, 5, 6], dtype=torch.uint8).view(torch.float8_e4m3fn).view(2, 3).t()",
              f8({1, 2, 3, 4, 5, 6}).view({2, 3}).t(),
              "tensor([[0.0020, 0.0078],\n"
              "        [0.0039, 0.0098],\n"
              "        [0.0059, 0.0117]], dtype=torch.float8_e4m3fn)");
  EXPECT_REPR("torch.tensor([57], dtype=torch.uint8).view(torch.float8_e4m3fn).requires_grad_()",
              f8({57}).requires_grad_(), "tensor([1.1250], dtype=torch.float8_e4m3fn, requires_grad=True)");
  EXPECT_REPR("torch.zeros(0, dtype=torch.float8_e4m3fn)", at::zeros({0}, at::kFloat8_e4m3fn),
              "tensor([], dtype=torch.float8_e4m3fn)");
  EXPECT_PYTHON(
      "repr_with(torch.tensor([57, 65], dtype=torch.uint8).view(torch.float8_e4m3fn), "
      "precision=2, sci_mode=True)",
      repr(f8({57, 65}), {.precision = 2, .sci_mode = true}),
      "tensor([1.12e+00, 2.25e+00], dtype=torch.float8_e4m3fn)");
}

TEST(DtypeFloat8, FormatsItsItem) {
  EXPECT_PYTHON("f'{torch.tensor([57], dtype=torch.uint8).view(torch.float8_e4m3fn)[0]}'",
                fmt::format("{}", bits({57}, at::kFloat8_e4m3fn)[0]), "1.125");
  EXPECT_PYTHON("f'{torch.tensor([57], dtype=torch.uint8).view(torch.float8_e5m2)[0]}'",
                fmt::format("{}", bits({57}, at::kFloat8_e5m2)[0]), "0.625");
  EXPECT_PYTHON("f'{torch.tensor([57], dtype=torch.uint8).view(torch.float8_e4m3fn)[0]:.2f}'",
                fmt::format("{:.2f}", bits({57}, at::kFloat8_e4m3fn)[0]), "1.12");
  EXPECT_PYTHON("f'{torch.tensor([127], dtype=torch.uint8).view(torch.float8_e4m3fn)[0]}'",
                fmt::format("{}", bits({127}, at::kFloat8_e4m3fn)[0]), "nan");
  EXPECT_PYTHON("f'{torch.tensor([124], dtype=torch.uint8).view(torch.float8_e5m2)[0]:>6}'",
                fmt::format("{:>6}", bits({124}, at::kFloat8_e5m2)[0]), "   inf");
}
#endif

#if __has_include(<c10/util/Float8_e4m3fnuz.h>)
TEST(DtypeFloat8, OfTheFnuzKindHasOneZeroAndOneNan) {
  EXPECT_REPR("torch.tensor([0, 56, 64, 184], dtype=torch.uint8).view(torch.float8_e4m3fnuz)",
              bits({0, 56, 64, 184}, at::kFloat8_e4m3fnuz),
              "tensor([ 0.0000,  0.5000,  1.0000, -0.5000], dtype=torch.float8_e4m3fnuz)");
  EXPECT_REPR("torch.tensor([1, 127, 128, 124, 252], dtype=torch.uint8).view(torch.float8_e4m3fnuz)",
              bits({1, 127, 128, 124, 252}, at::kFloat8_e4m3fnuz),
              "tensor([ 9.7656e-04,  2.4000e+02,         nan,  1.9200e+02, -1.9200e+02],\n"
              "       dtype=torch.float8_e4m3fnuz)");
  EXPECT_REPR("torch.tensor([1, 127, 128, 124, 252], dtype=torch.uint8).view(torch.float8_e5m2fnuz)",
              bits({1, 127, 128, 124, 252}, at::kFloat8_e5m2fnuz),
              "tensor([ 7.6294e-06,  5.7344e+04,         nan,  3.2768e+04, -3.2768e+04],\n"
              "       dtype=torch.float8_e5m2fnuz)");
  EXPECT_PYTHON("f'{torch.tensor([57], dtype=torch.uint8).view(torch.float8_e4m3fnuz)[0]}'",
                fmt::format("{}", bits({57}, at::kFloat8_e4m3fnuz)[0]), "0.5625");
  EXPECT_PYTHON("f'{torch.tensor([57], dtype=torch.uint8).view(torch.float8_e5m2fnuz)[0]}'",
                fmt::format("{}", bits({57}, at::kFloat8_e5m2fnuz)[0]), "0.3125");
}
#endif

#if __has_include(<c10/util/Float8_e8m0fnu.h>)
TEST(DtypeFloat8, E8m0fnuIsAPowerOfTwo) {
  EXPECT_REPR("torch.tensor([127, 128, 126], dtype=torch.uint8).view(torch.float8_e8m0fnu)",
              bits({127, 128, 126}, at::kFloat8_e8m0fnu),
              "tensor([1.0000, 2.0000, 0.5000], dtype=torch.float8_e8m0fnu)");
  EXPECT_REPR("torch.tensor([127, 137], dtype=torch.uint8).view(torch.float8_e8m0fnu)",
              bits({127, 137}, at::kFloat8_e8m0fnu),
              "tensor([1.0000e+00, 1.0240e+03], dtype=torch.float8_e8m0fnu)");
  EXPECT_PYTHON("f'{torch.tensor([126], dtype=torch.uint8).view(torch.float8_e8m0fnu)[0]}'",
                fmt::format("{}", bits({126}, at::kFloat8_e8m0fnu)[0]), "0.5");
  EXPECT_PYTHON("f'{torch.tensor([0], dtype=torch.uint8).view(torch.float8_e8m0fnu)[0]:.3e}'",
                fmt::format("{:.3e}", bits({0}, at::kFloat8_e8m0fnu)[0]), "5.877e-39");
}

TEST(DtypeFloat8, E8m0fnuDoesNotCountItsSmallestValue) {
  EXPECT_REPR("torch.tensor([0, 127], dtype=torch.uint8).view(torch.float8_e8m0fnu)",
              bits({0, 127}, at::kFloat8_e8m0fnu), "tensor([0., 1.], dtype=torch.float8_e8m0fnu)");
  EXPECT_REPR("torch.tensor([0, 1], dtype=torch.uint8).view(torch.float8_e8m0fnu)",
              bits({0, 1}, at::kFloat8_e8m0fnu),
              "tensor([5.8775e-39, 1.1755e-38], dtype=torch.float8_e8m0fnu)");
}

TEST(DtypeFloat8, E8m0fnuCountsNan) {
  EXPECT_REPR("torch.tensor([255], dtype=torch.uint8).view(torch.float8_e8m0fnu)",
              bits({255}, at::kFloat8_e8m0fnu), "tensor([nan], dtype=torch.float8_e8m0fnu)");
  EXPECT_REPR("torch.tensor([255, 0], dtype=torch.uint8).view(torch.float8_e8m0fnu)",
              bits({255, 0}, at::kFloat8_e8m0fnu), "tensor([nan, 0.0000], dtype=torch.float8_e8m0fnu)");
  EXPECT_REPR("torch.tensor([137, 255, 127], dtype=torch.uint8).view(torch.float8_e8m0fnu)",
              bits({137, 255, 127}, at::kFloat8_e8m0fnu),
              "tensor([1024.0000,       nan,    1.0000], dtype=torch.float8_e8m0fnu)");
  EXPECT_PYTHON(
      "repr_with(torch.tensor([255, 1, 254], dtype=torch.uint8).view(torch.float8_e8m0fnu), "
      "sci_mode=True)",
      repr(bits({255, 1, 254}, at::kFloat8_e8m0fnu), {.sci_mode = true}),
      "tensor([       nan, 1.1755e-38, 1.7014e+38], dtype=torch.float8_e8m0fnu)");
}
#endif

#if __has_include(<c10/util/Float4_e2m1fn_x2.h>)
TEST(DtypeFloat4, ShowsItsBytesAsFloats) {
  EXPECT_REPR("torch.tensor([0, 1, 255], dtype=torch.uint8).view(torch.float4_e2m1fn_x2)",
              bits({0, 1, 255}, at::kFloat4_e2m1fn_x2),
              "tensor([  0.,   1., 255.], dtype=torch.float4_e2m1fn_x2)");
  EXPECT_PYTHON(
      "repr_with(torch.tensor([1, 16], dtype=torch.uint8).view(torch.float4_e2m1fn_x2), "
      "sci_mode=True)",
      repr(bits({1, 16}, at::kFloat4_e2m1fn_x2), {.sci_mode = true}),
      "tensor([1.0000e+00, 1.6000e+01], dtype=torch.float4_e2m1fn_x2)");
}

TEST(DtypeFloat4, HasNoItem) {
  const at::Tensor t = bits({1}, at::kFloat4_e2m1fn_x2)[0];
  EXPECT_PYTHON_RAISES("repr(torch.tensor([1], dtype=torch.uint8).view(torch.float4_e2m1fn_x2)[0])",
                       "NotImplementedError", repr(t), std::invalid_argument);
  EXPECT_PYTHON_RAISES("f'{torch.tensor([1], dtype=torch.uint8).view(torch.float4_e2m1fn_x2)[0]}'",
                       "NotImplementedError", fmt::format("{}", t), std::exception);
}
#endif

#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 14)
TEST(DtypeBcomplex32, IsComplexOfBfloat16) {
  EXPECT_REPR("torch.tensor([1., -2.5, 0.1, nan]).bfloat16().view(torch.bcomplex32)",
              f32({1, -2.5, 0.1f, kNan}).to(at::kBFloat16).view(at::kBComplex32),
              "tensor([1.0000-2.5000j, 0.1001+nanj], dtype=torch.bcomplex32)");
  EXPECT_PYTHON("f'{torch.tensor([1., -2.5]).bfloat16().view(torch.bcomplex32)[0]}'",
                fmt::format("{}", f32({1, -2.5}).to(at::kBFloat16).view(at::kBComplex32)[0]), "(1-2.5j)");
}
#endif

}  // namespace
}  // namespace torchbook::pyrepr
