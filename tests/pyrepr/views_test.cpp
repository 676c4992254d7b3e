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

TEST(Autograd, NamesOperatorsOnNumbersAsPythonDoesIfThatIsWanted) {
  const at::Tensor x = at::ones({1}).requires_grad_();
  EXPECT_EQ(repr(x * 2), "tensor([2.], grad_fn=<MulBackward1>)");
  const PythonOperators operators;
  EXPECT_REPR("torch.ones(1, requires_grad=True) * 2", x * 2, "tensor([2.], grad_fn=<MulBackward0>)");
  EXPECT_REPR("torch.ones(1, requires_grad=True) / 2", x / 2, "tensor([0.5000], grad_fn=<DivBackward0>)");
  EXPECT_REPR("torch.ones(1, requires_grad=True) + 2", x + 2, "tensor([3.], grad_fn=<AddBackward0>)");
  EXPECT_REPR("torch.ones(1, requires_grad=True) - 2", x - 2, "tensor([-1.], grad_fn=<SubBackward0>)");
  { const PythonOperators inner; }
  EXPECT_REPR("torch.div(torch.ones(1, requires_grad=True), 2, rounding_mode='floor')",
              at::div(x, 2, "floor"), "tensor([0.], grad_fn=<DivBackward2>)");
}

TEST(Autograd, FindsTheClassOfAFunctionInTheNameOfItsNode) {
  EXPECT_EQ(custom_function_name("torch::autograd::CppNode<Square>"), "Square");
  EXPECT_EQ(custom_function_name("torch::autograd::CppNode<(anonymous namespace)::Square>"), "Square");
  EXPECT_EQ(custom_function_name("torch::autograd::AccumulateGrad"), "");
}

TEST(Autograd, NamesTheFunctionOfAResult) {
  EXPECT_REPR("torch.ones(2, requires_grad=True) * torch.ones(2)",
              at::ones({2}).requires_grad_() * at::ones({2}), "tensor([1., 1.], grad_fn=<MulBackward0>)");
  EXPECT_REPR("torch.ones(2, dtype=torch.float64, requires_grad=True).sum()",
              at::ones({2}, at::kDouble).requires_grad_().sum(),
              "tensor(2., dtype=torch.float64, grad_fn=<SumBackward0>)");
  const at::Tensor base = at::ones({2});
  base.slice(0, 0, 1).mul_(at::ones({1}).requires_grad_());
  EXPECT_REPR("(lambda t: t[:1].mul_(torch.ones(1, requires_grad=True)) is None or t)(torch.ones(2))", base,
              "tensor([1., 1.], grad_fn=<CopySlices>)");
  EXPECT_REPR("torch.ones(2, 2, requires_grad=True).relu()", at::ones({2, 2}).requires_grad_().relu(),
              "tensor([[1., 1.],\n"
              "        [1., 1.]], grad_fn=<ReluBackward0>)");
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
