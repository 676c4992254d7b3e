// Prints dtypes, devices, scalars and other properties of tensors as Python does.
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <fmt/format.h>
#include <torchbook/pyrepr/dtype.h>
#include <torchbook/pyrepr/torch_values.h>

#include <sstream>
#include <stdexcept>

namespace torchbook::pyrepr::inline v1 {
namespace {

/// Calls `print` with the bool, int, float or complex number that a scalar holds.
template <class Print>
std::string with_value(const at::Scalar& scalar, Print print) {
  if (scalar.isBoolean()) return print(scalar.toBool());
  if (scalar.isIntegral(false)) return print(scalar.toLong());
  if (scalar.isComplex()) return print(scalar.toComplexDouble());
  return print(scalar.toDouble());
}

}  // namespace

std::string Printer<at::ScalarType>::repr(at::ScalarType type) { return dtype_name(type); }

std::string Printer<caffe2::TypeMeta>::repr(caffe2::TypeMeta type) {
  const auto dtype = c10::optTypeMetaToScalarType(type);
  if (!dtype) throw std::invalid_argument(fmt::format("{} is no dtype of tensors", std::string(type.name())));
  return dtype_name(*dtype);
}

std::string Printer<at::Device>::repr(const at::Device& device) {
  const auto type = at::DeviceTypeName(device.type(), /*lower_case=*/true);
  if (!device.has_index()) return fmt::format("device(type='{}')", type);
  return fmt::format("device(type='{}', index={})", type, int{device.index()});
}

std::string Printer<at::Layout>::repr(at::Layout layout) {
  if (layout == at::kSparse) return "torch.sparse_coo";
  if (layout == at::kMkldnn) return "torch._mkldnn";
  std::ostringstream out;
  out << layout;
  std::string name = out.str();  // Strided, SparseCsr
  if (name.starts_with("Sparse")) name.insert(6, 1, '_');
  return "torch." + lower_case(name);
}

std::string Printer<at::MemoryFormat>::repr(at::MemoryFormat format) {
  switch (format) {
    case at::MemoryFormat::Contiguous:
      return "torch.contiguous_format";
    case at::MemoryFormat::Preserve:
      return "torch.preserve_format";
    case at::MemoryFormat::ChannelsLast:
      return "torch.channels_last";
    case at::MemoryFormat::ChannelsLast3d:
      return "torch.channels_last_3d";
    default:
      throw std::invalid_argument("Python has no such memory format");
  }
}

std::string Printer<at::QScheme>::repr(at::QScheme scheme) { return "torch." + at::toString(scheme); }

std::string Printer<at::Scalar>::repr(const at::Scalar& scalar) {
  return with_value(scalar, [](auto value) { return pyrepr::repr(value); });
}

std::string Printer<at::Scalar>::format(const at::Scalar& scalar, std::string_view spec) {
  return with_value(scalar, [&](auto value) { return pyrepr::format(value, spec); });
}

std::string Printer<c10::SymIntArrayRef>::repr(c10::SymIntArrayRef sizes) {
  Size size;
  for (const c10::SymInt& length : sizes) size.sizes.push_back(length.expect_int());
  return pyrepr::repr(size);
}

#if __has_include(<ATen/core/Dimname.h>)
std::string Printer<at::Dimname>::repr(at::Dimname name) {
  return name.isBasic() ? pyrepr::repr(name.symbol().toUnqualString()) : "None";
}
#endif

std::string Printer<at::Generator>::repr(const at::Generator& generator) {
  if (!generator.defined()) return "None";
  return fmt::format("<torch._C.Generator object at {}>", fmt::ptr(generator.unsafeGetGeneratorImpl()));
}

}  // namespace torchbook::pyrepr::inline v1
