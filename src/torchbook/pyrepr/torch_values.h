// Prints properties of tensors as Python does: dtypes, devices, layouts, memory formats, shapes,
// scalars.
#pragma once

#include <ATen/core/Generator.h>
#include <c10/core/Device.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/QScheme.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>
#include <c10/core/SymInt.h>
#include <c10/core/SymIntArrayRef.h>
#include <c10/util/ArrayRef.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>
#include <c10/util/typeid.h>
#include <torchbook/pyrepr/containers.h>
#include <torchbook/pyrepr/size.h>

#if __has_include(<ATen/core/Dimname.h>)
#include <ATen/core/Dimname.h>
#endif

#include <string>
#include <string_view>

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1 {

/// `torch.float32`
template <>
struct Printer<at::ScalarType> {
  static constexpr std::string_view python_type = "torch.dtype";
  static std::string repr(at::ScalarType type);
};

/// `torch.float32`. Throws std::invalid_argument for a type that no tensor has.
template <>
struct Printer<caffe2::TypeMeta> {
  static constexpr std::string_view python_type = "torch.dtype";
  static std::string repr(caffe2::TypeMeta type);
};

/// `device(type='cuda', index=0)`, and `cuda:0` as a str
template <>
struct Printer<at::Device> {
  static constexpr std::string_view python_type = "torch.device";
  static std::string repr(const at::Device& device);
  static std::string str(const at::Device& device) { return device.str(); }
};

/// `torch::kCPU`, which is `torch.device("cpu")` in Python
template <>
struct Printer<at::DeviceType> {
  static constexpr std::string_view python_type = "torch.device";
  static std::string repr(at::DeviceType type) { return Printer<at::Device>::repr(type); }
  static std::string str(at::DeviceType type) { return Printer<at::Device>::str(type); }
};

/// `torch.strided`
template <>
struct Printer<at::Layout> {
  static constexpr std::string_view python_type = "torch.layout";
  static std::string repr(at::Layout layout);
};

/// `torch.contiguous_format`
template <>
struct Printer<at::MemoryFormat> {
  static constexpr std::string_view python_type = "torch.memory_format";
  static std::string repr(at::MemoryFormat format);
};

/// `torch.per_tensor_affine`
template <>
struct Printer<at::QScheme> {
  static constexpr std::string_view python_type = "torch.qscheme";
  static std::string repr(at::QScheme scheme);
};

/// A bool, int, float or complex
template <>
struct Printer<at::Scalar>
    : detail::TakesSpecsOf<detail::float_type, detail::int_type, detail::complex_type> {
  static std::string repr(const at::Scalar& scalar);
  static std::string format(const at::Scalar& scalar, std::string_view spec);
};

/// `<torch._C.Generator object at 0x…>`, with the address of the C++ generator
template <>
struct Printer<at::Generator> {
  static constexpr std::string_view python_type = "Generator";
  static std::string repr(const at::Generator& generator);
};

/// `torch.Size([2, 3])`, the result of `tensor.sizes()`. Strides have the same type in C++, but are
/// a tuple in Python. Print `py::tuple(tensor.strides())`.
template <>
struct Printer<at::IntArrayRef> {
  static constexpr std::string_view python_type = "torch.Size";
  static std::string repr(at::IntArrayRef sizes) { return pyrepr::repr(Size{sizes.vec()}); }
};

/// An int. Throws c10::Error if it is symbolic: only a compiler's trace has a name for it.
template <>
struct Printer<c10::SymInt> : detail::TakesSpecsOf<detail::int_type> {
  static std::string repr(const c10::SymInt& value) { return std::to_string(value.expect_int()); }
  static std::string format(const c10::SymInt& value, std::string_view spec) {
    return detail::format_int(value.expect_int(), spec);
  }
};

/// `torch.Size([2, 3])`, the result of `tensor.sym_sizes()`
template <>
struct Printer<c10::SymIntArrayRef> {
  static constexpr std::string_view python_type = "torch.Size";
  static std::string repr(c10::SymIntArrayRef sizes);
};

#if __has_include(<ATen/core/Dimname.h>)
/// `'N'`, or None for a dimension without a name. PyTorch 2.14 removed names.
template <>
struct Printer<at::Dimname> {
  static std::string repr(at::Dimname name);
};

/// A tuple, the result of `tensor.names()`
template <>
struct Printer<at::DimnameList> : detail::SequenceAsTuplePrinter {};
#endif

/// A list
template <class T>
struct Printer<at::ArrayRef<T>> : detail::ListPrinter {};

/// A complex.
template <class T>
struct Printer<c10::complex<T>> : detail::TakesSpecsOf<detail::complex_type> {
  static std::string repr(c10::complex<T> value) {
    return detail::repr_complex({double(value.real()), double(value.imag())});
  }
  static std::string format(c10::complex<T> value, std::string_view spec) {
    return detail::format_complex({double(value.real()), double(value.imag())}, spec);
  }
};

/// A float prints as the double that it converts to.
template <class T>
requires detail::OneOf<T, at::Half, at::BFloat16>
struct Printer<T> : Printer<double> {
};

/// Numbers that Python holds in a tuple, such as strides.
struct IntTuple {
  at::IntArrayRef values;  ///< a view of them
};

/// Wraps numbers that Python prints as a tuple: `py::tuple(t.strides())` is `(3, 1)`. The numbers must
/// outlive it.
inline IntTuple tuple(at::IntArrayRef values) { return {values}; }

/// A tuple.
template <>
struct Printer<IntTuple> : detail::ComposedPrinter {
  static constexpr std::string_view python_type = "tuple";
  static void compose(const IntTuple& tuple, detail::Composition& out) {
    detail::SequenceAsTuplePrinter::compose(tuple.values, out);
  }
};

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
