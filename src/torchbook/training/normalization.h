// nn.RMSNorm, which LibTorch lacks.
#pragma once

#include <ATen/ATen.h>
#include <c10/util/Optional.h>
#include <fmt/ranges.h>
#include <torch/nn/cloneable.h>
#include <torch/nn/pimpl.h>
#include <torch/version.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// PyTorch has it since 2.4.
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)

#pragma GCC visibility push(default)
namespace torchbook::nn::inline v1 {

/// Options of RMSNorm: the arguments of Python's `nn.RMSNorm`.
struct RMSNormOptions {
  explicit RMSNormOptions(std::vector<std::int64_t> normalized_shape)
      : normalized_shape_(std::move(normalized_shape)) {}

  /// The last dimensions of inputs.
  TORCH_ARG(std::vector<std::int64_t>, normalized_shape);
  /// What is added to the mean of the squares. Without it, the smallest step of the input's type after 1.
  TORCH_ARG(c10::optional<double>, eps) = c10::nullopt;
  /// Whether the result is multiplied by weights.
  TORCH_ARG(bool, elementwise_affine) = true;
};

/// Root mean square normalization: Python's `nn.RMSNorm`.
class RMSNormImpl : public torch::nn::Cloneable<RMSNormImpl>, public pyrepr::ExtraRepr {
 public:
  explicit RMSNormImpl(RMSNormOptions chosen) : options(std::move(chosen)) { RMSNormImpl::reset(); }
  explicit RMSNormImpl(std::vector<std::int64_t> normalized_shape)
      : RMSNormImpl(RMSNormOptions(std::move(normalized_shape))) {}

  /// Makes the weight, of ones.
  void reset() override {
    const bool affine = options.elementwise_affine();
    weight =
        register_parameter("weight", affine ? at::ones(options.normalized_shape()) : at::Tensor(), affine);
  }

  /// Returns the input, (*, normalized_shape), divided by the root of the mean of its squares, times the
  /// weight. Throws c10::Error if the sizes do not fit.
  at::Tensor forward(const at::Tensor& input) {
    c10::optional<at::Tensor> scale;
    if (weight.defined()) scale = weight;
    return at::rms_norm(input, options.normalized_shape(), scale, options.eps());
  }

  std::string extra_repr() const override {
    const auto& shape = options.normalized_shape();
    return fmt::format("({}{}), eps={}, elementwise_affine={}", fmt::join(shape, ", "),
                       shape.size() == 1 ? "," : "", pyrepr::repr(options.eps()),
                       pyrepr::repr(options.elementwise_affine()));
  }

  RMSNormOptions options;
  at::Tensor weight;  ///< undefined without `elementwise_affine`
};
TORCH_MODULE(RMSNorm);

}  // namespace torchbook::nn::inline v1
#pragma GCC visibility pop

#endif
