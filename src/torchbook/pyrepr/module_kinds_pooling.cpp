// Defines how Python prints pooling layers.
#include <torch/nn/modules/pooling.h>
#include <torchbook/pyrepr/module_kinds.h>
#include <torchbook/pyrepr/release.h>

namespace torchbook::pyrepr::inline v1 {
namespace {

namespace nn = torch::nn;

constexpr auto max_pool = [](const auto& module, ExtraText& out) {
  const auto& options = module.options;
  out.add_sizes("kernel_size", *options.kernel_size()).add_sizes("stride", *options.stride());
  out.add_sizes("padding", *options.padding()).add_sizes("dilation", *options.dilation());
  out.add("ceil_mode", options.ceil_mode());
};

constexpr auto average_pool = [](const auto& module, ExtraText& out) {
  const auto& options = module.options;
  out.add_sizes("kernel_size", *options.kernel_size()).add_sizes("stride", *options.stride());
  out.add_sizes("padding", *options.padding());
};

/// In Python, AvgPool1d and the unpooling layers always convert their sizes to tuples.
constexpr auto pool_of_tuples = [](const auto& module, ExtraText& out) {
  const auto& options = module.options;
  out.add("kernel_size", *options.kernel_size()).add("stride", *options.stride());
  out.add("padding", *options.padding());
};

/// If no stride was given, Python stores None, but C++ stores the kernel size.
constexpr auto power_pool = [](const auto& module, ExtraText& out) {
  const auto& options = module.options;
  out.add("norm_type", options.norm_type()).add_sizes("kernel_size", *options.kernel_size());
  if (*options.stride() == *options.kernel_size()) {
    out.add("stride", "None");
  } else {
    out.add_sizes("stride", *options.stride());
  }
  out.add("ceil_mode", options.ceil_mode());
};

constexpr auto adaptive_pool = [](const auto& module, ExtraText& out) {
  out.add_sizes("output_size", *module.options.output_size());
};

}  // namespace

std::vector<ModuleKind> pooling_kinds() {
  return join_kinds(
      module_kinds<nn::FractionalMaxPool2dImpl, nn::FractionalMaxPool3dImpl>(no_extra),
      module_kinds<nn::MaxPool1dImpl, nn::MaxPool2dImpl, nn::MaxPool3dImpl>(max_pool),
      module_kinds<nn::AvgPool2dImpl, nn::AvgPool3dImpl>(average_pool),
      module_kinds<nn::AvgPool1dImpl, nn::MaxUnpool1dImpl, nn::MaxUnpool2dImpl, nn::MaxUnpool3dImpl>(
          pool_of_tuples),
      module_kinds<nn::LPPool1dImpl, nn::LPPool2dImpl>(power_pool),
#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 5)
      module_kinds<nn::LPPool3dImpl>(power_pool),
#endif
      module_kinds<nn::AdaptiveAvgPool1dImpl, nn::AdaptiveAvgPool2dImpl, nn::AdaptiveAvgPool3dImpl,
                   nn::AdaptiveMaxPool1dImpl, nn::AdaptiveMaxPool2dImpl, nn::AdaptiveMaxPool3dImpl>(
          adaptive_pool));
}

}  // namespace torchbook::pyrepr::inline v1
