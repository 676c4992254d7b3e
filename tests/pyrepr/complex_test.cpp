// Tests complex elements: the real and the imaginary parts each have a format of their own.
#include <gtest/gtest.h>
#include <torchbook/pyrepr/tensor.h>

#include <cmath>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

using namespace torchbook::test;

TEST(Complex, FormatsEachPartByItself) {
  EXPECT_REPR("torch.tensor([10 - 3.5j])", c64({{10, -3.5}}), "tensor([10.-3.5000j])");
  EXPECT_REPR("torch.tensor([1 + 2j, 3 - 4j])", c64({{1, 2}, {3, -4}}), "tensor([1.+2.j, 3.-4.j])");
  EXPECT_REPR("torch.tensor([1.5 + 2j, 3 - 4j])", c64({{1.5, 2}, {3, -4}}),
              "tensor([1.5000+2.j, 3.0000-4.j])");
  EXPECT_REPR("torch.tensor([1e-5 + 2j, 3 - 4j])", c64({{1e-5f, 2}, {3, -4}}),
              "tensor([1.0000e-05+2.j, 3.0000e+00-4.j])");
  EXPECT_REPR("torch.tensor([2 + 1e10j, 300 - 4j])", c64({{2, 1e10f}, {300, -4}}),
              "tensor([  2.+1.0000e+10j, 300.-4.0000e+00j])");
}

TEST(Complex, PadsTheRealPartAndNotTheImaginaryPart) {
  EXPECT_REPR("torch.tensor([1 + 1j, 100 + 100j])", c64({{1, 1}, {100, 100}}),
              "tensor([  1.+1.j, 100.+100.j])");
  EXPECT_REPR("torch.tensor([-1 + 1.5j, 1 - 100.25j])", c64({{-1, 1.5}, {1, -100.25}}),
              "tensor([-1.+1.5000j,  1.-100.2500j])");
  EXPECT_REPR("torch.tensor([1.5 + 1j, -10 + 10j])", c64({{1.5, 1}, {-10, 10}}),
              "tensor([  1.5000+1.j, -10.0000+10.j])");
}

TEST(Complex, WritesASignOfTheImaginaryPart) {
  EXPECT_REPR("torch.tensor([1j, -1j])", c64({{0, 1}, {-0.0f, -1}}), "tensor([0.+1.j, -0.-1.j])");
  EXPECT_REPR("torch.tensor([complex(1., -0.), complex(-0., 0.)])", c64({{1, -0.0f}, {-0.0f, 0}}),
              "tensor([1.-0.j, -0.+0.j])");
  EXPECT_REPR("torch.zeros(2, dtype=torch.complex64)", at::zeros({2}, at::kComplexFloat),
              "tensor([0.+0.j, 0.+0.j])");
}

TEST(Complex, WritesNanAndInfinityWhole) {
  EXPECT_REPR("torch.tensor([complex(inf, -inf), complex(nan, nan), complex(1., 2.)])",
              c64({{kInf, -kInf}, {kNan, kNan}, {1, 2}}), "tensor([inf-infj, nan+nanj, 1.+2.j])");
  EXPECT_REPR("torch.tensor([complex(math.copysign(nan, -1.), math.copysign(nan, -1.))])",
              c64({{std::copysign(kNan, -1.0f), std::copysign(kNan, -1.0f)}}), "tensor([nan+nanj])");
  EXPECT_REPR("torch.tensor([complex(0.5, inf), complex(-inf, 0.25)])", c64({{0.5, kInf}, {-kInf, 0.25}}),
              "tensor([0.5000+infj,   -inf+0.2500j])");
}

TEST(Complex, OfZeroDimensions) {
  EXPECT_REPR("torch.tensor(1 + 2j)", scalar(c10::complex<float>(1, 2)), "tensor(1.+2.j)");
  EXPECT_REPR("torch.tensor(-1.5 - 1e-6j)", scalar(c10::complex<float>(-1.5, -1e-6f)),
              "tensor(-1.5000-1.0000e-06j)");
}

TEST(Complex, DoubleIsNamed) {
  EXPECT_REPR("torch.tensor([0.0001 + 1j], dtype=torch.complex128)", c128({{0.0001, 1}}),
              "tensor([0.0001+1.j], dtype=torch.complex128)");
  EXPECT_REPR("torch.tensor([0.0001 + 1j])", c64({{0.0001f, 1}}), "tensor([1.0000e-04+1.j])");
  EXPECT_REPR("torch.tensor([1e300 + 5e-324j], dtype=torch.complex128)", c128({{1e300, 5e-324}}),
              "tensor([1.0000e+300+4.9407e-324j], dtype=torch.complex128)");
}

TEST(Complex, HalfGoesThroughComplex64) {
  EXPECT_REPR("torch.tensor([0.1 + 1j, -2.5 - 0.1j]).to(torch.complex32)",
              c64({{0.1f, 1}, {-2.5, -0.1f}}).to(at::kComplexHalf),
              "tensor([ 0.1000+1.0000j, -2.5000-0.1000j], dtype=torch.complex32)");
  EXPECT_REPR("torch.tensor([65504 + 1j]).to(torch.complex32)", c64({{65504, 1}}).to(at::kComplexHalf),
              "tensor([65504.+1.j], dtype=torch.complex32)");
}

TEST(Complex, InAMatrixSharesTheFormats) {
  EXPECT_REPR("torch.tensor([[1 + 1j, 2.5 - 10j], [-3 + 0j, 4 + 0.5j]])",
              c64({{1, 1}, {2.5, -10}, {-3, 0}, {4, 0.5}}).view({2, 2}),
              "tensor([[ 1.0000+1.0000j,  2.5000-10.0000j],\n"
              "        [-3.0000+0.0000j,  4.0000+0.5000j]])");
}

TEST(Complex, WrapsByTheTwoWidthsAndTheJButNotThePlus) {
  EXPECT_REPR("torch.full((11,), 1.5 + 2.5j)", at::full({11}, c10::complex<double>(1.5, 2.5)),
              "tensor([1.5000+2.5000j, 1.5000+2.5000j, 1.5000+2.5000j, 1.5000+2.5000j,\n"
              "        1.5000+2.5000j, 1.5000+2.5000j, 1.5000+2.5000j, 1.5000+2.5000j,\n"
              "        1.5000+2.5000j, 1.5000+2.5000j, 1.5000+2.5000j])");
  EXPECT_REPR("torch.full((12,), 1 + 2j)", at::full({12}, c10::complex<double>(1, 2)),
              "tensor([1.+2.j, 1.+2.j, 1.+2.j, 1.+2.j, 1.+2.j, 1.+2.j, 1.+2.j, 1.+2.j, 1.+2.j, 1.+2.j,\n"
              "        1.+2.j, 1.+2.j])");
  EXPECT_PYTHON("repr_with(torch.full((4,), 1 + 2j), linewidth=27)",
                repr(at::full({4}, c10::complex<double>(1, 2)), {.linewidth = 27}),
                "tensor([1.+2.j, 1.+2.j,\n"
                "        1.+2.j, 1.+2.j])");
  EXPECT_PYTHON("repr_with(torch.full((4,), 1 + 2j), linewidth=28)",
                repr(at::full({4}, c10::complex<double>(1, 2)), {.linewidth = 28}),
                "tensor([1.+2.j, 1.+2.j, 1.+2.j,\n"
                "        1.+2.j])");
}

TEST(Complex, IsSummarised) {
  EXPECT_REPR("torch.complex(torch.arange(1001.), -torch.arange(1001.))",
              at::complex(at::arange(1001.0), -at::arange(1001.0)),
              "tensor([   0.-0.j,    1.-1.j,    2.-2.j,  ...,  998.-998.j,\n"
              "         999.-999.j, 1000.-1000.j])");
  EXPECT_PYTHON("repr_with(torch.complex(torch.arange(9.), torch.full((9,), 0.5)), threshold=8, edgeitems=2)",
                repr(at::complex(at::arange(9.0), at::full({9}, 0.5)), {.threshold = 8, .edgeitems = 2}),
                "tensor([0.+0.5000j, 1.+0.5000j,  ..., 7.+0.5000j, 8.+0.5000j])");
}

TEST(Complex, FormatsThePartsUnderTheOptions) {
  EXPECT_PYTHON("repr_with(torch.tensor([1.25 + 2j, 3 - 4.5j]), precision=1)",
                repr(c64({{1.25, 2}, {3, -4.5}}), {.precision = 1}), "tensor([1.2+2.0j, 3.0-4.5j])");
  EXPECT_PYTHON("repr_with(torch.tensor([1.5 + 2.5j]), precision=0)",
                repr(c64({{1.5, 2.5}}), {.precision = 0}), "tensor([2+2j])");
}

}  // namespace
}  // namespace torchbook::pyrepr
