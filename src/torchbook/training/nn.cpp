#include <torch/enum.h>
#include <torch/version.h>
#include <torchbook/training/nn.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>

namespace torchbook::nn::inline v1 {

at::Tensor norm(const at::Tensor& x, const at::Scalar& p) {
#if TORCH_VERSION_MAJOR >= 2
  return at::linalg_vector_norm(x, p);
#else
  std::vector<std::int64_t> dims(static_cast<std::size_t>(x.dim()));
  std::iota(dims.begin(), dims.end(), 0);
  return at::norm(x, p, dims);
#endif
}

at::Tensor norm(const at::Tensor& x, const std::optional<at::Scalar>& p, at::IntArrayRef dims, bool keepdim) {
#if TORCH_VERSION_MAJOR >= 2
  return at::linalg_vector_norm(x, p.value_or(2), dims, keepdim);
#else
  return p ? at::norm(x, *p, dims, keepdim) : at::frobenius_norm(x, dims, keepdim);
#endif
}

at::Tensor interpolate(const at::Tensor& x, const torch::nn::functional::InterpolateFuncOptions& options) {
  TORCH_CHECK(options.size().has_value() != options.scale_factor().has_value() && !options.antialias() &&
                  !options.recompute_scale_factor().value_or(false),
              "interpolate takes a size or a scale_factor, and no antialias or recompute_scale_factor");
  TORCH_CHECK(x.dim() >= 3, "interpolate: the input has ", x.dim(), " dimensions; it needs at least 3");
  const auto sides = static_cast<std::size_t>(x.dim() - 2);
  const auto for_all = [&](auto values) {
    if (values.size() == 1) values.resize(sides, values[0]);
    return values;
  };
  const auto sizes = for_all(options.size().value_or(std::vector<std::int64_t>{}));
  const auto factors = for_all(options.scale_factor().value_or(std::vector<double>{}));
  at::OptionalIntArrayRef size = c10::nullopt;
  c10::optional<at::ArrayRef<double>> scales = c10::nullopt;
  if (options.size()) size = sizes;
  if (options.scale_factor()) scales = factors;
  const auto mode = torch::enumtype::get_enum_name(options.mode());
  const bool corners = options.align_corners().value_or(false);
  if (mode == "kNearest" && sides == 1) return at::upsample_nearest1d(x, size, scales);
  if (mode == "kNearest" && sides == 2) return at::upsample_nearest2d(x, size, scales);
  if (mode == "kNearest" && sides == 3) return at::upsample_nearest3d(x, size, scales);
  if (mode == "kLinear" && sides == 1) return at::upsample_linear1d(x, size, corners, scales);
  if (mode == "kBilinear" && sides == 2) return at::upsample_bilinear2d(x, size, corners, scales);
  if (mode == "kBicubic" && sides == 2) return at::upsample_bicubic2d(x, size, corners, scales);
  TORCH_CHECK(mode == "kTrilinear" && sides == 3, "interpolate: the mode ", mode,
              " does not fit an input with ", x.dim(), " dimensions");
  return at::upsample_trilinear3d(x, size, corners, scales);
}

at::Tensor clip_grad_norm_(const std::vector<at::Tensor>& parameters, double max_norm, double norm_type,
                           bool error_if_nonfinite) {
  std::vector<at::Tensor> norms;
  for (const auto& parameter : parameters) {
    if (parameter.grad().defined()) norms.push_back(nn::norm(parameter.grad().detach(), norm_type));
  }
  if (norms.empty()) return at::zeros({});
  at::Tensor total = nn::norm(at::stack(norms), norm_type);
  TORCH_CHECK(!error_if_nonfinite || total.isfinite().item<bool>(),
              "clip_grad_norm_: the norm of the gradients is ", total.item<double>());
  const at::Tensor factor = ((total + 1e-6).reciprocal() * max_norm).clamp_max(1.0);
  for (const auto& parameter : parameters) {
    if (parameter.grad().defined()) parameter.grad().detach().mul_(factor);
  }
  return total;
}

}  // namespace torchbook::nn::inline v1
