// Tests non-contiguous views, and the suffixes for autograd and names.
#include <gtest/gtest.h>
#include <torch/csrc/autograd/forward_grad.h>
#include <torchbook/pyrepr/suffixes.h>
#include <torchbook/pyrepr/tensor.h>

#include <cstdint>
#include <string>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

using namespace torchbook::test;

TEST(Views, AreReadByTheirStrides) {
  EXPECT_REPR("torch.arange(6).view(2, 3).t()", at::arange(6).view({2, 3}).t(),
              "tensor([[0, 3],\n"
              "        [1, 4],\n"
              "        [2, 5]])");
  EXPECT_REPR("torch.arange(8).view(2, 2, 2).permute(2, 0, 1)",
              at::arange(8).view({2, 2, 2}).permute({2, 0, 1}),
              "tensor([[[0, 2],\n"
              "         [4, 6]],\n"
              "\n"
              "        [[1, 3],\n"
              "         [5, 7]]])");
  EXPECT_REPR("torch.arange(10)[1:9:3]", at::arange(10).slice(0, 1, 9, 3), "tensor([1, 4, 7])");
  EXPECT_REPR("torch.arange(12).view(3, 4)[:, 1::2]", at::arange(12).view({3, 4}).slice(1, 1, 4, 2),
              "tensor([[ 1,  3],\n"
              "        [ 5,  7],\n"
              "        [ 9, 11]])");
  EXPECT_REPR("torch.arange(9).view(3, 3).diagonal()", at::arange(9).view({3, 3}).diagonal(),
              "tensor([0, 4, 8])");
  EXPECT_REPR("torch.arange(4.).unfold(0, 3, 1)", at::arange(4.0).unfold(0, 3, 1),
              "tensor([[0., 1., 2.],\n"
              "        [1., 2., 3.]])");
}

TEST(Views, MayStartInTheMiddleOfTheirStorage) {
  EXPECT_REPR("torch.arange(10)[7:]", at::arange(10).slice(0, 7), "tensor([7, 8, 9])");
  EXPECT_REPR("torch.arange(12.).view(3, 4)[1, 2]", at::arange(12.0).view({3, 4})[1][2], "tensor(6.)");
  EXPECT_REPR("torch.arange(12).view(3, 4)[2]", at::arange(12).view({3, 4})[2], "tensor([ 8,  9, 10, 11])");
}

TEST(Views, MayRepeatElements) {
  EXPECT_REPR("torch.tensor([1, 2]).expand(3, 2)", i64({1, 2}).expand({3, 2}),
              "tensor([[1, 2],\n"
              "        [1, 2],\n"
              "        [1, 2]])");
  EXPECT_REPR("torch.tensor(0.5).expand(2, 2)", scalar(0.5f).expand({2, 2}),
              "tensor([[0.5000, 0.5000],\n"
              "        [0.5000, 0.5000]])");
  EXPECT_REPR("torch.tensor(7).expand(10**12)", scalar(7, at::kLong).expand({1000LL * 1000 * 1000 * 1000}),
              "tensor([7, 7, 7,  ..., 7, 7, 7])");
}

TEST(Views, AreMeasuredByTheirOwnElements) {
  EXPECT_REPR("torch.tensor([[1., 1000.5], [2., 1e9]])[:, 0]",
              f32({1, 1000.5, 2, 1e9f}).view({2, 2}).select(1, 0), "tensor([1., 2.])");
}

TEST(Views, AreSummarised) {
  EXPECT_REPR("torch.arange(2000.).view(40, 50).t()", at::arange(2000.0).view({40, 50}).t(),
              "tensor([[0.0000e+00, 5.0000e+01, 1.0000e+02,  ..., 1.8500e+03, 1.9000e+03,\n"
              "         1.9500e+03],\n"
              "        [1.0000e+00, 5.1000e+01, 1.0100e+02,  ..., 1.8510e+03, 1.9010e+03,\n"
              "         1.9510e+03],\n"
              "        [2.0000e+00, 5.2000e+01, 1.0200e+02,  ..., 1.8520e+03, 1.9020e+03,\n"
              "         1.9520e+03],\n"
              "        ...,\n"
              "        [4.7000e+01, 9.7000e+01, 1.4700e+02,  ..., 1.8970e+03, 1.9470e+03,\n"
              "         1.9970e+03],\n"
              "        [4.8000e+01, 9.8000e+01, 1.4800e+02,  ..., 1.8980e+03, 1.9480e+03,\n"
              "         1.9980e+03],\n"
              "        [4.9000e+01, 9.9000e+01, 1.4900e+02,  ..., 1.8990e+03, 1.9490e+03,\n"
              "         1.9990e+03]])");
  EXPECT_REPR("torch.arange(4000)[::2]", at::arange(4000).slice(0, 0, 4000, 2),
              "tensor([   0,    2,    4,  ..., 3994, 3996, 3998])");
}

TEST(Views, OfAConjugateShowTheConjugate) {
  EXPECT_REPR("torch.tensor([1 + 2j, 3 - 4.5j]).conj()", c64({{1, 2}, {3, -4.5}}).conj(),
              "tensor([1.-2.0000j, 3.+4.5000j])");
  EXPECT_REPR("torch.tensor([[1 + 2j, 3 - 4j]]).mH", c64({{1, 2}, {3, -4}}).view({1, 2}).mH(),
              "tensor([[1.-2.j],\n"
              "        [3.+4.j]])");
  EXPECT_REPR("torch.tensor(1j).conj()", scalar(c10::complex<float>(0, 1)).conj(), "tensor(0.-1.j)");
}

TEST(Views, OfAConjugatesImaginaryPartShowTheNegative) {
  EXPECT_REPR("torch.tensor([1 + 2j, 3 - 4j]).conj().imag", at::imag(c64({{1, 2}, {3, -4}}).conj()),
              "tensor([-2.,  4.])");
  EXPECT_REPR("torch.tensor([1 + 2j, 3 - 4j]).conj().real", at::real(c64({{1, 2}, {3, -4}}).conj()),
              "tensor([1., 3.])");
  EXPECT_REPR("torch.tensor([1.5, 0.])._neg_view()", f32({1.5, 0})._neg_view(), "tensor([-1.5000, -0.0000])");
}

TEST(Views, OfTheStoragelessZerosShowZeros) {
  EXPECT_REPR("torch._efficientzerotensor((2,))", at::_efficientzerotensor({2}), "tensor([0., 0.])");
}

TEST(Autograd, MarksALeaf) {
  EXPECT_REPR("torch.tensor([1., 2.], requires_grad=True)", f32({1, 2}).requires_grad_(),
              "tensor([1., 2.], requires_grad=True)");
  EXPECT_REPR("torch.tensor(0.5, requires_grad=True)", scalar(0.5f).requires_grad_(),
              "tensor(0.5000, requires_grad=True)");
  EXPECT_REPR("torch.tensor([1., 2.], requires_grad=True).detach()", f32({1, 2}).requires_grad_().detach(),
              "tensor([1., 2.])");
  EXPECT_REPR("torch.tensor([1j], requires_grad=True)", c64({{0, 1}}).requires_grad_(),
              "tensor([0.+1.j], requires_grad=True)");
}

TEST(Autograd, NamesOperatorsOnNumbersAsPythonDoesIfThatIsWanted) {
  const at::Tensor x = at::ones({1}).requires_grad_();
  EXPECT_EQ(repr(x * 2), "tensor([2.], grad_fn=<MulBackward1>)");
  const PythonOperators operators;
  EXPECT_REPR("torch.ones(1, requires_grad=True) * 2", x * 2, "tensor([2.], grad_fn=<MulBackward0>)");
  EXPECT_REPR("torch.ones(1, requires_grad=True) / 2", x / 2, "tensor([0.5000], grad_fn=<DivBackward0>)");
  EXPECT_REPR("torch.ones(1, requires_grad=True) + 2", x + 2, "tensor([3.], grad_fn=<AddBackward0>)");
  EXPECT_REPR("torch.ones(1, requires_grad=True) - 2", x - 2, "tensor([-1.], grad_fn=<SubBackward0>)");
}

TEST(Autograd, NamesTheFunctionOfAResult) {
  EXPECT_REPR("torch.ones(2, requires_grad=True) * torch.ones(2)",
              at::ones({2}).requires_grad_() * at::ones({2}), "tensor([1., 1.], grad_fn=<MulBackward0>)");
  EXPECT_REPR("torch.ones(2, dtype=torch.float64, requires_grad=True).sum()",
              at::ones({2}, at::kDouble).requires_grad_().sum(),
              "tensor(2., dtype=torch.float64, grad_fn=<SumBackward0>)");
  EXPECT_REPR("torch.ones(2, 2, requires_grad=True).relu()", at::ones({2, 2}).requires_grad_().relu(),
              "tensor([[1., 1.],\n"
              "        [1., 1.]], grad_fn=<ReluBackward0>)");
}

TEST(Autograd, BreaksTheLineBeforeANameThatDoesNotFit) {
  EXPECT_REPR("torch.ones(11, requires_grad=True).relu()", at::ones({11}).requires_grad_().relu(),
              "tensor([1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1.], grad_fn=<ReluBackward0>)");
  EXPECT_REPR("torch.ones(12, requires_grad=True).relu()", at::ones({12}).requires_grad_().relu(),
              "tensor([1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1.],\n"
              "       grad_fn=<ReluBackward0>)");
  EXPECT_REPR("torch.ones(2, 13, requires_grad=True).relu()", at::ones({2, 13}).requires_grad_().relu(),
              "tensor([[1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1.],\n"
              "        [1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1.]],\n"
              "       grad_fn=<ReluBackward0>)");
}

/// Returns the repr of a dual number of forward-mode autograd, whose level exists only during the call.
std::string repr_dual(const at::Tensor& primal, const at::Tensor& tangent) {
  const auto level = torch::autograd::ForwardADLevel::get_next_idx();
  const std::string text = repr(at::_make_dual(primal, tangent, static_cast<std::int64_t>(level)));
  torch::autograd::ForwardADLevel::release_idx(level);
  return text;
}

TEST(Autograd, ShowsTheTangentOfADualNumber) {
  EXPECT_PYTHON("repr_dual(torch.tensor([1., 2.]), torch.tensor([0.5, 0.1]))",
                repr_dual(f32({1, 2}), f32({0.5, 0.1f})),
                "tensor([1., 2.], tangent=tensor([0.5000, 0.1000]))");
  EXPECT_PYTHON("repr_dual(torch.tensor(1.), torch.tensor(0.1))", repr_dual(scalar(1.0f), scalar(0.1f)),
                "tensor(1., tangent=0.10000000149011612)");
  EXPECT_PYTHON("repr_dual(torch.ones(2, 2, requires_grad=True), torch.eye(2))",
                repr_dual(at::ones({2, 2}).requires_grad_(), at::eye(2)),
                "tensor([[1., 1.],\n"
                "        [1., 1.]], grad_fn=<ViewBackward0>,\n"
                "       tangent=tensor([[1., 0.],\n"
                "        [0., 1.]]))");
  EXPECT_PYTHON("repr_dual(torch.ones(12), torch.arange(12.))", repr_dual(at::ones({12}), at::arange(12.0)),
                "tensor([1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1., 1.],\n"
                "       tangent=tensor([ 0.,  1.,  2.,  3.,  4.,  5.,  6.,  7.,  8.,  9., 10., 11.]))");
}

TEST(Meta, ShowsItsSizeOnly) {
  EXPECT_REPR("torch.empty(2, 2, device='meta')", at::empty({2, 2}, at::device(at::kMeta)),
              "tensor(..., device='meta', size=(2, 2))");
  EXPECT_REPR("torch.empty(3, dtype=torch.int64, device='meta')",
              at::empty({3}, at::device(at::kMeta).dtype(at::kLong)),
              "tensor(..., device='meta', size=(3,), dtype=torch.int64)");
  EXPECT_REPR("torch.empty((), device='meta', requires_grad=True)",
              at::empty({}, at::device(at::kMeta)).requires_grad_(),
              "tensor(..., device='meta', size=(), requires_grad=True)");
}

// Later releases have no named dimensions.
#if __has_include(<ATen/core/NamedTensor.h>)
TEST(Names, AreTheLastSuffix) {
  const auto name = [](const char* text) { return at::Dimname::fromSymbol(at::Symbol::dimname(text)); };
  EXPECT_REPR("torch.zeros(2, names=('N',))", at::zeros({2}, {{name("N")}}, {}),
              "tensor([0., 0.], names=('N',))");
  EXPECT_REPR("torch.zeros(1, 2, names=('N', None), dtype=torch.float64)",
              at::zeros({1, 2}, {{name("N"), at::Dimname::wildcard()}}, at::kDouble),
              "tensor([[0., 0.]], dtype=torch.float64, names=('N', None))");
  EXPECT_REPR("torch.zeros(2, names=('N',)).requires_grad_()",
              at::zeros({2}, {{name("N")}}, {}).requires_grad_(),
              "tensor([0., 0.], requires_grad=True, names=('N',))");
}
#endif

}  // namespace
}  // namespace torchbook::pyrepr
