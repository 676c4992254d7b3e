// Defines how Python prints convolutions and paddings.
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/padding.h>
#include <torchbook/pyrepr/module_kinds.h>
#include <torchbook/pyrepr/release.h>

#include <array>
#include <variant>

namespace torchbook::pyrepr::inline v1 {
namespace {

namespace nn = torch::nn;

template <std::size_t D>
constexpr std::array<std::int64_t, D> filled(std::int64_t value) {
  std::array<std::int64_t, D> values;
  values.fill(value);
  return values;
}

template <std::size_t D>
void add_padding(ExtraText& out, const nn::detail::conv_padding_t<D>& padding) {
  // Unqualified, because get_if is c10's or std's, depending on the release.
  if (const auto* sizes = get_if<torch::ExpandingArray<D>>(&padding)) {
    out.add_unless("padding", **sizes, filled<D>(0));
  } else {
    const bool same = get_if<torch::enumtype::kSame>(&padding) != nullptr;
    out.add("padding", same ? "same" : "valid");
  }
}

template <std::size_t D, class M>
void add_convolution(const nn::ConvNdImpl<D, M>& module, ExtraText& out) {
  const auto& options = module.options;
  out.add(options.in_channels()).add(options.out_channels());
  out.add("kernel_size", *options.kernel_size()).add("stride", *options.stride());
  add_padding<D>(out, options.padding());
  out.add_unless("dilation", *options.dilation(), filled<D>(1));
  out.add_unless("output_padding", *options.output_padding(), filled<D>(0));
  out.add_unless("groups", options.groups(), std::int64_t{1});
  out.add_unless("bias", module.bias.defined(), true);
  out.add_unless("padding_mode", enum_name(options.padding_mode()), std::string("zeros"));
}

constexpr auto convolution = [](const auto& module, ExtraText& out) { add_convolution(module, out); };

constexpr auto only_padding = [](const auto& module, ExtraText& out) { out.add(*module.options.padding()); };

constexpr auto constant_pad = [](const auto& module, ExtraText& out) {
  out.add("padding", *module.options.padding()).add("value", module.options.value());
};

}  // namespace

std::vector<ModuleKind> convolution_kinds() {
  return join_kinds(
      module_kinds<nn::Conv1dImpl, nn::Conv2dImpl, nn::Conv3dImpl, nn::ConvTranspose1dImpl,
                   nn::ConvTranspose2dImpl, nn::ConvTranspose3dImpl>(convolution),
      module_kinds<nn::ConstantPad1dImpl, nn::ConstantPad2dImpl, nn::ConstantPad3dImpl>(constant_pad),
#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 1)
      module_kinds<nn::ZeroPad1dImpl, nn::ZeroPad3dImpl>(only_padding),
#endif
      module_kinds<nn::ReflectionPad1dImpl, nn::ReflectionPad2dImpl, nn::ReflectionPad3dImpl,
                   nn::ReplicationPad1dImpl, nn::ReplicationPad2dImpl, nn::ReplicationPad3dImpl,
                   nn::ZeroPad2dImpl>(only_padding));
}

}  // namespace torchbook::pyrepr::inline v1
