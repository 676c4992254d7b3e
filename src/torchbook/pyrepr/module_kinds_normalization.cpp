// Defines how Python prints normalizations.
#include <torch/nn/functional/instancenorm.h>  // modules/instancenorm.h needs it and does not include it
#include <torch/nn/modules/batchnorm.h>
#include <torch/nn/modules/instancenorm.h>
#include <torch/nn/modules/normalization.h>
#include <torchbook/pyrepr/module_kinds.h>
#include <torchbook/pyrepr/release.h>

namespace torchbook::pyrepr::inline v1 {
namespace {

namespace nn = torch::nn;

void add_bias(ExtraText& out, const at::Tensor& bias) {
  if (release::norms_show_bias) out.add("bias", bias.defined());
}

constexpr auto batch_norm = [](const auto& module, ExtraText& out) {
  const auto& options = module.options;
  out.add(options.num_features()).add("eps", options.eps()).add("momentum", options.momentum());
  out.add("affine", options.affine());
  add_bias(out, module.bias);
  out.add("track_running_stats", options.track_running_stats());
};

constexpr auto layer_norm = [](const nn::LayerNormImpl& module, ExtraText& out) {
  out.add(module.options.normalized_shape()).add("eps", module.options.eps());
  out.add("elementwise_affine", module.options.elementwise_affine());
  add_bias(out, module.bias);
};

constexpr auto group_norm = [](const nn::GroupNormImpl& module, ExtraText& out) {
  out.add(module.options.num_groups()).add(module.options.num_channels());
  out.add("eps", module.options.eps()).add("affine", module.options.affine());
  add_bias(out, module.bias);
};

constexpr auto response_norm = [](const auto& module, ExtraText& out) {
  out.add(module.options.size()).add("alpha", module.options.alpha());
  out.add("beta", module.options.beta()).add("k", module.options.k());
};

}  // namespace

std::vector<ModuleKind> normalization_kinds() {
  return join_kinds(
      module_kinds<nn::BatchNorm1dImpl, nn::BatchNorm2dImpl, nn::BatchNorm3dImpl, nn::InstanceNorm1dImpl,
                   nn::InstanceNorm2dImpl, nn::InstanceNorm3dImpl>(batch_norm),
      module_kinds<nn::LayerNormImpl>(layer_norm), module_kinds<nn::GroupNormImpl>(group_norm),
      module_kinds<nn::CrossMapLRN2dImpl, nn::LocalResponseNormImpl>(response_norm));
}

}  // namespace torchbook::pyrepr::inline v1
