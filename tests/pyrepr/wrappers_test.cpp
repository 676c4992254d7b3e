// Tests tensors that wrap others or lack memory, and that no more of a tensor is read than is shown.
#include <ATen/FunctionalTensorWrapper.h>
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/DynamicLayer.h>
#include <ATen/functorch/TensorWrapper.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <torchbook/pyrepr/fmt.h>
#include <torchbook/pyrepr/release.h>
#include <torchbook/pyrepr/tensor.h>

#include <stdexcept>
#include <string>

#include "judged.h"
#include "tensors.h"

namespace torchbook::pyrepr {
namespace {

using namespace torchbook::test;

at::Tensor functional(const at::Tensor& tensor) {
  return at::functionalization::impl::to_functional_tensor(tensor);
}

/// Returns the message of the error that printing throws.
std::string refusal(const at::Tensor& tensor, const PrintOptions& options = {}) {
  try {
    return "not refused: " + repr(tensor, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(Functional, PrintsTheTensorThatItWraps) {
  EXPECT_REPR("torch._to_functional_tensor(torch.ones(2, 2, dtype=torch.float64))",
              functional(at::ones({2, 2}, at::kDouble)),
              "_to_functional_tensor(tensor([[1., 1.],\n        [1., 1.]], dtype=torch.float64))");
  EXPECT_REPR("torch._to_functional_tensor(torch.ones(2)).requires_grad_()",
              functional(at::ones({2})).requires_grad_(),
              "_to_functional_tensor(tensor([1., 1.]), requires_grad=True)");
  EXPECT_REPR("torch._to_functional_tensor(torch.ones(2, device='meta'))",
              functional(at::ones({2}, at::kMeta)),
              "_to_functional_tensor(tensor(..., device='meta', size=(2,)), device='meta')");
  EXPECT_REPR("torch._to_functional_tensor(torch.zeros(0, 2))", functional(at::zeros({0, 2})),
              "_to_functional_tensor(tensor([], size=(0, 2)))");
  EXPECT_PYTHON("f'{torch._to_functional_tensor(torch.ones(()))}'",
                fmt::format("{}", functional(at::ones({}))), "1.0");
}

TEST(Functorch, ShowsLevelAndValue) {
  const at::Tensor cube = at::zeros({2, 1, 1});
  EXPECT_PYTHON("repr_in('vmap', torch.zeros(2, 1, 1))", repr(at::functorch::makeBatched(cube, 0, 1)),
                "BatchedTensor(lvl=1, bdim=0, value=\n    tensor([[[0.]],\n\n            [[0.]]])\n)");
  const at::Tensor ones = at::ones({2});
  at::functorch::initAndPushDynamicLayer(at::functorch::TransformType::Grad, {}, {}, true);
  const std::string tracked = repr(at::functorch::makeTensorWrapper(ones, 1));
  at::functorch::popDynamicLayerAndDeleteMetadata();
  EXPECT_PYTHON("repr_in('grad', torch.ones(2))", tracked,
                "GradTrackingTensor(lvl=1, value=\n    tensor([1., 1.])\n)");
}

TEST(Memory, ThatIsMissingIsNotRead) {
  const at::Tensor t = at::ones({2});
  t.storage().set_nbytes(4);
  EXPECT_EQ(refusal(t),
            "cannot print a tensor of size (2,): its storage has 4 bytes, and its elements need 8");
  const at::Tensor freed = at::ones({2})[1];
  freed.storage().set_data_ptr_noswap({});
  freed.storage().set_nbytes(0);
  EXPECT_EQ(refusal(freed),
            "cannot print a tensor of size (): its storage has 0 bytes, and its elements need 8");
}

TEST(Summary, ReadsNoMoreThanItShows) {
  constexpr std::int64_t more_than_memory = std::int64_t{1} << 50;
  const auto repeated = [](const at::Tensor& one) { return one.expand({more_than_memory, 1}); };
  EXPECT_EQ(repr(repeated(f32({1})._neg_view())),
            "tensor([[-1.],\n        [-1.],\n        [-1.],\n        ...,\n"
            "        [-1.],\n        [-1.],\n        [-1.]])");
  EXPECT_EQ(repr(repeated(c64({{1, 1}}).conj()), {.edgeitems = 1}),
            "tensor([[1.-1.j],\n        ...,\n        [1.-1.j]])");
  EXPECT_EQ(repr(repeated(at::quantize_per_tensor(f32({2}), 0.5, 3, at::kQInt8)), {.edgeitems = 1}),
            "tensor([[2.],\n        ...,\n        [2.]], size=(1125899906842624, 1), dtype=torch.qint8,\n"
            "       quantization_scheme=torch.per_tensor_affine, scale=0.5, zero_point=3)");
}

TEST(Summary, OfQuantizedNumbersShowsThem) {
  EXPECT_PYTHON("repr_with(torch.quantize_per_tensor(torch.arange(8.), 0.5, 3, torch.qint8), threshold=4)",
                repr(at::quantize_per_tensor(at::arange(8.0), 0.5, 3, at::kQInt8), {.threshold = 4}),
                "tensor([0., 1., 2.,  ..., 5., 6., 7.], size=(8,), dtype=torch.qint8,\n"
                "       quantization_scheme=torch.per_tensor_affine, scale=0.5, zero_point=3)");
  const char* per_channel =
      "repr_with(torch.quantize_per_channel(torch.arange(8.), torch.arange(1., 9), torch.arange(8), 0, "
      "torch.qint8), threshold=4, edgeitems=1)";
  const auto t =
      at::quantize_per_channel(at::arange(8.0), at::arange(1.0, 9.0), at::arange(8), 0, at::kQInt8);
  EXPECT_PYTHON(per_channel, repr(t, {.threshold = 4, .edgeitems = 1}),
                "tensor([0.,  ..., 8.], size=(8,), dtype=torch.qint8,\n"
                "       quantization_scheme=torch.per_channel_affine,\n"
                "       scale=tensor([1.,  ..., 8.], dtype=torch.float64),\n"
                "       zero_point=tensor([0,  ..., 7]), axis=0)");
}

// Without ends to show, 1.13 raises for a matrix.
#if TORCH_VERSION_MAJOR < 2
TEST(Summary, WithoutEdgeItemsIsRefusedForAMatrix) {
  const PrintOptions none{.threshold = 0, .edgeitems = 0};
  EXPECT_PYTHON_RAISES("repr_with(torch.ones(1, 1), threshold=0, edgeitems=0)", "RuntimeError",
                       repr(at::ones({1, 1}), none), std::invalid_argument);
  EXPECT_EQ(refusal(at::ones({1, 1}), none),
            "PyTorch 1.13 cannot summarise a tensor of several dimensions with edgeitems 0; set 1 or more");
  EXPECT_PYTHON("repr_with(torch.ones(2), threshold=0, edgeitems=0)", repr(at::ones({2}), none),
                "tensor([ ..., 1., 1.])");
}
#endif

TEST(SparseMeta, ShowsThePartsThatItsReleaseShows) {
  const at::Tensor t = at::empty({2, 3}, at::device(at::kMeta).layout(at::kSparse));
  EXPECT_REPR("torch.empty(2, 3, device='meta', layout=torch.sparse_coo)", t,
              release::meta_parts_are_dots
                  ? "tensor(indices=tensor(..., size=(2, 0)),\n       values=tensor(..., size=(0,)),\n"
                    "       device='meta', size=(2, 3), layout=torch.sparse_coo)"
                  : "tensor(indices=tensor([], size=(2, 0)),\n       values=tensor([], size=(0,)),\n"
                    "       device='meta', size=(2, 3), layout=torch.sparse_coo)");
}

}  // namespace
}  // namespace torchbook::pyrepr
