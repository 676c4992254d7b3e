// Defines how Python prints activations.
#include <torch/nn/modules/activation.h>
#include <torchbook/pyrepr/module_kinds.h>
#include <torchbook/pyrepr/release.h>

namespace torchbook::pyrepr::inline v1 {
namespace {

namespace nn = torch::nn;

constexpr auto only_inplace = [](const auto& module, ExtraText& out) {
  out.add_inplace(module.options.inplace());
};

constexpr auto only_dim = [](const auto& module, ExtraText& out) { out.add("dim", module.options.dim()); };

constexpr auto only_lambda = [](const auto& module, ExtraText& out) { out.add(module.options.lambda()); };

constexpr auto alpha = [](const auto& module, ExtraText& out) {
  out.add("alpha", module.options.alpha()).add_inplace(module.options.inplace());
};

constexpr auto hardtanh = [](const nn::HardtanhImpl& module, ExtraText& out) {
  out.add("min_val", module.options.min_val()).add("max_val", module.options.max_val());
  out.add_inplace(module.options.inplace());
};

constexpr auto leaky_relu = [](const nn::LeakyReLUImpl& module, ExtraText& out) {
  out.add("negative_slope", module.options.negative_slope()).add_inplace(module.options.inplace());
};

constexpr auto rrelu = [](const nn::RReLUImpl& module, ExtraText& out) {
  out.add("lower", module.options.lower()).add("upper", module.options.upper());
  out.add_inplace(module.options.inplace());
};

constexpr auto threshold = [](const nn::ThresholdImpl& module, ExtraText& out) {
  out.add("threshold", module.options.threshold()).add("value", module.options.value());
  out.add_inplace(module.options.inplace());
};

constexpr auto gelu = [](const nn::GELUImpl& module, ExtraText& out) {
  out.add("approximate", detail::repr_string(module.options.approximate()));
};

constexpr auto prelu = [](const nn::PReLUImpl& module, ExtraText& out) {
  out.add("num_parameters", module.options.num_parameters());
};

/// Adds a float whose default is an int in some releases.
void add_with_int_default(ExtraText& out, std::string_view name, double value, int default_value) {
  if (release::softplus_has_int_defaults && value == default_value) {
    out.add(name, default_value);
  } else {
    out.add(name, value);
  }
}

constexpr auto softplus = [](const nn::SoftplusImpl& module, ExtraText& out) {
  add_with_int_default(out, "beta", module.options.beta(), 1);
  add_with_int_default(out, "threshold", module.options.threshold(), 20);
};

}  // namespace

std::vector<ModuleKind> activation_kinds() {
  return join_kinds(
      module_kinds<nn::LogSigmoidImpl, nn::MishImpl, nn::SiLUImpl, nn::SigmoidImpl, nn::Softmax2dImpl,
                   nn::SoftsignImpl, nn::TanhImpl, nn::TanhshrinkImpl>(no_extra),
      module_kinds<nn::ReLUImpl, nn::ReLU6Impl, nn::SELUImpl>(only_inplace),
      module_kinds<nn::GLUImpl, nn::LogSoftmaxImpl, nn::SoftmaxImpl, nn::SoftminImpl>(only_dim),
      module_kinds<nn::HardshrinkImpl, nn::SoftshrinkImpl>(only_lambda),
      module_kinds<nn::CELUImpl, nn::ELUImpl>(alpha), module_kinds<nn::GELUImpl>(gelu),
      module_kinds<nn::HardtanhImpl>(hardtanh), module_kinds<nn::LeakyReLUImpl>(leaky_relu),
      module_kinds<nn::PReLUImpl>(prelu), module_kinds<nn::RReLUImpl>(rrelu),
      module_kinds<nn::SoftplusImpl>(softplus), module_kinds<nn::ThresholdImpl>(threshold));
}

}  // namespace torchbook::pyrepr::inline v1
