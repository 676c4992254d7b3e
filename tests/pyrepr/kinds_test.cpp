// Tests tensors that are not dense (sparse, quantized, nested, meta) and Parameters.
#include <gtest/gtest.h>
#include <pyrepr/judged.h>
#include <pyrepr/tensors.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/pyrepr/release.h>

namespace torchbook::pyrepr {
namespace {

using namespace torchbook::test;

TEST(Sparse, ShowsItsIndicesAndValues) {
  const at::Tensor t = at::eye(2);
  EXPECT_REPR("torch.eye(2).to_sparse()", t.to_sparse(),
              "tensor(indices=tensor([[0, 1],\n"
              "                       [0, 1]]),\n"
              "       values=tensor([1., 1.]),\n"
              "       size=(2, 2), nnz=2, layout=torch.sparse_coo)");
  EXPECT_REPR("torch.eye(2).to_sparse_csr()", t.to_sparse_csr(),
              "tensor(crow_indices=tensor([0, 1, 2]),\n"
              "       col_indices=tensor([0, 1]),\n"
              "       values=tensor([1., 1.]), size=(2, 2), nnz=2, layout=torch.sparse_csr)");
  EXPECT_REPR("torch.eye(2).to_sparse_csc()", t.to_sparse_csc(),
              "tensor(ccol_indices=tensor([0, 1, 2]),\n"
              "       row_indices=tensor([0, 1]),\n"
              "       values=tensor([1., 1.]), size=(2, 2), nnz=2, layout=torch.sparse_csc)");
  EXPECT_REPR("torch.eye(2).to_sparse_bsr((1, 2))", t.to_sparse_bsr({1, 2}),
              "tensor(crow_indices=tensor([0, 1, 2]),\n"
              "       col_indices=tensor([0, 0]),\n"
              "       values=tensor([[[1., 0.]],\n"
              "\n"
              "                      [[0., 1.]]]), size=(2, 2), nnz=2,\n"
              "       layout=torch.sparse_bsr)");
  EXPECT_REPR("torch.eye(2)[:1].to_sparse_bsc((1, 1))", t.slice(0, 0, 1).to_sparse_bsc({1, 1}),
              "tensor(ccol_indices=tensor([0, 1, 1]),\n"
              "       row_indices=tensor([0]),\n"
              "       values=tensor([[[1.]]]), size=(1, 2), nnz=1, layout=torch.sparse_bsc)");
}

TEST(Sparse, WithoutValuesShowsTheSizesOfItsParts) {
  EXPECT_REPR("torch.zeros(2, 3).to_sparse()", at::zeros({2, 3}).to_sparse(),
              "tensor(indices=tensor([], size=(2, 0)),\n"
              "       values=tensor([], size=(0,)),\n"
              "       size=(2, 3), nnz=0, layout=torch.sparse_coo)");
}

TEST(Mkldnn, ShowsItsElements) {
  if (!at::hasMKLDNN()) GTEST_SKIP() << "NOT TESTED: this LibTorch has no MKL-DNN";
  EXPECT_REPR("torch.eye(2).to_mkldnn()", at::eye(2).to_mkldnn(),
              "tensor([[1., 0.],\n"
              "        [0., 1.]], layout=torch._mkldnn)");
}

TEST(Quantized, ShowsItsScheme) {
  EXPECT_REPR("torch.quantize_per_tensor(torch.tensor([1., 2.5]), 0.5, 3, torch.quint8)",
              at::quantize_per_tensor(f32({1, 2.5}), 0.5, 3, at::kQUInt8),
              "tensor([1.0000, 2.5000], size=(2,), dtype=torch.quint8,\n"
              "       quantization_scheme=torch.per_tensor_affine, scale=0.5, zero_point=3)");
  EXPECT_REPR(
      "torch.quantize_per_channel(torch.eye(2), torch.tensor([0.5, 1.]), torch.tensor([0, 1]), 1, "
      "torch.qint8)",
      at::quantize_per_channel(at::eye(2), f32({0.5, 1}), i64({0, 1}), 1, at::kQInt8),
      "tensor([[1., 0.],\n"
      "        [0., 1.]], size=(2, 2), dtype=torch.qint8,\n"
      "       quantization_scheme=torch.per_channel_affine,\n"
      "       scale=tensor([0.5000, 1.0000], dtype=torch.float64),\n"
      "       zero_point=tensor([0, 1]), axis=1)");
}

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
