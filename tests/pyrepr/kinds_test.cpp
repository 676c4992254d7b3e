// Tests tensors that are not dense (sparse, quantized, nested, meta) and Parameters.
#include <gtest/gtest.h>
#include <pyrepr/judged.h>
#include <pyrepr/tensors.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/pyrepr/release.h>

namespace torchbook::pyrepr {
namespace {

using namespace torchbook::test;

TEST(Quantized, WithoutDimensionsIsItsItemInAnFString) {
  constexpr bool whole = release::quantized_items_are_whole;
  const auto quantized = [](double value) {
    return at::quantize_per_tensor(scalar(value, at::kFloat), 0.1, 0, at::kQInt8);
  };
  EXPECT_PYTHON("f'{torch.quantize_per_tensor(torch.tensor(2.57), .1, 0, torch.qint8)}'",
                fmt::format("{}", quantized(2.57)), whole ? "2" : "2.6000001430511475");
  EXPECT_PYTHON("f'{torch.quantize_per_tensor(torch.tensor(-2.57), .1, 0, torch.qint8):.2f}'",
                fmt::format("{:.2f}", quantized(-2.57)), whole ? "-2.00" : "-2.60");
}

TEST(Nested, PartsHaveNoGradientOfTheirOwn) {
  const auto nested = at::_nested_tensor_from_tensor_list({at::ones({2}), at::zeros({1})}).requires_grad_();
  EXPECT_REPR("torch.nested.nested_tensor([torch.ones(2), torch.zeros(1)], requires_grad=True)", nested,
              "nested_tensor([\n"
              "  tensor([1., 1.], requires_grad=True),\n"
              "  tensor([0.], requires_grad=True)\n"
              "], requires_grad=True)");
}

TEST(Parameters, SayThatTheyContainATensor) {
  EXPECT_REPR("torch.nn.Parameter(torch.ones(2))", Parameter{at::ones({2}).requires_grad_()},
              "Parameter containing:\ntensor([1., 1.], requires_grad=True)");
  EXPECT_PYTHON("f'{torch.nn.Parameter(torch.tensor(2.))}'",
                fmt::format("{}", Parameter{scalar(2.0, at::kFloat).requires_grad_()}),
                "Parameter containing:\ntensor(2., requires_grad=True)");
}

TEST(ReturnTypes, NameTheirTensors) {
  const auto t = at::arange(4, at::kFloat).view({2, 2});
  const auto greatest = return_type("max", {"values", "indices"}, at::max(t, 0));
  EXPECT_REPR("torch.arange(4.).view(2, 2).max(0)", greatest,
              "torch.return_types.max(\nvalues=tensor([2., 3.]),\nindices=tensor([1, 1]))");
  EXPECT_PYTHON("f'{torch.arange(4.).view(2, 2).max(0)}'", str(greatest),
                "torch.return_types.max(\nvalues=tensor([2., 3.]),\nindices=tensor([1, 1]))");
  EXPECT_REPR("torch.arange(4.).view(2, 2).max(0, keepdim=True)",
              return_type("max", {"values", "indices"}, at::max(t, 0, /*keepdim=*/true)),
              "torch.return_types.max(\nvalues=tensor([[2., 3.]]),\nindices=tensor([[1, 1]]))");
  EXPECT_REPR(
      "torch.svd(torch.zeros(1, 2))", return_type("svd", {"U", "S", "V"}, at::svd(at::zeros({1, 2}))),
      "torch.return_types.svd(\nU=tensor([[1.]]),\nS=tensor([0.]),\nV=tensor([[1.],\n        [0.]]))");
  EXPECT_PYTHON("pretty((torch.arange(4.).view(2, 2).max(0), 1))", pretty(std::make_tuple(greatest, 1)),
                "(torch.return_types.max(\n values=tensor([2., 3.]),\n indices=tensor([1, 1])),\n 1)");
}

}  // namespace
}  // namespace torchbook::pyrepr
