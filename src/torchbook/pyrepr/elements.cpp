// Writes the elements of a strided tensor: a format for each dtype, laid out in lines.
#include <ATen/EmptyTensor.h>
#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>
#include <c10/util/accumulate.h>
#include <c10/util/complex.h>
#include <fmt/format.h>
#include <torchbook/pyrepr/dtype.h>
#include <torchbook/pyrepr/elements.h>
#include <torchbook/pyrepr/layout.h>
#include <torchbook/pyrepr/number_format.h>
#include <torchbook/pyrepr/release.h>
#include <torchbook/pyrepr/torch_values.h>
#include <torchbook/pyrepr/version.h>

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <vector>

namespace torchbook::pyrepr::inline v1 {
namespace {

void write_bools(std::string& out, const bool* data, const Shown& shown, std::size_t indent,
                 const PrintOptions& options) {
  std::size_t width = 1;
  const auto text = [](bool value) -> std::string_view { return value ? "True" : "False"; };
  shown.for_each([&](std::int64_t i) { width = std::max(width, text(data[i]).size()); });
  Layout(out, shown, width, options.linewidth, [&](std::string& to, std::int64_t i) {
    append_padded(to, text(data[i]), width);
  }).write(indent);
}

template <class T>
void write_integers(std::string& out, const T* data, const Shown& shown, std::size_t indent,
                    const PrintOptions& options) {
  T smallest = 0;
  T largest = 0;
  shown.for_each([&](std::int64_t i) {
    smallest = std::min(smallest, data[i]);
    largest = std::max(largest, data[i]);
  });
  const std::size_t width = std::max(std::to_string(smallest).size(), std::to_string(largest).size());
  Layout(out, shown, width, options.linewidth, [&](std::string& to, std::int64_t i) {
    append_padded(to, std::to_string(data[i]), width);
  }).write(indent);
}

/// Adds an element to the range that determines the format.
template <class T>
void count(FloatRange& range, const T& element) {
  range.add(static_cast<double>(element));
}

// Newer releases have dtypes that Python treats specially.
#if __has_include(<c10/util/Float8_e8m0fnu.h>)
/// This dtype has neither zero nor infinity. Python treats its smallest value as zero, and every
/// nan as finite.
void count(FloatRange& range, const c10::Float8_e8m0fnu& element) {
  if (element.isnan()) {
    range.add_nan();
  } else if (element.x != 0) {
    range.add(static_cast<double>(element));
  }
}
#endif

/// A float4 element holds two numbers in a byte. Python shows the byte as one float.
template <class T>
inline constexpr bool is_float4 = false;
#if __has_include(<c10/util/Float4_e2m1fn_x2.h>)
template <>
inline constexpr bool is_float4<c10::Float4_e2m1fn_x2> = true;
#endif

template <class T>
void write_floats(std::string& out, const T* data, const Shown& shown, std::size_t indent,
                  const PrintOptions& options) {
  FloatRange range;
  shown.for_each([&](std::int64_t i) { count(range, data[i]); });
  const FloatFormat format(range, options);
  Layout(out, shown, format.width(), options.linewidth, [&](std::string& to, std::int64_t i) {
    append_padded(to, format.text(static_cast<double>(data[i])), format.width());
  }).write(indent);
}

template <class T>
void write_complex(std::string& out, const c10::complex<T>* data, const Shown& shown, std::size_t indent,
                   const PrintOptions& options) {
  FloatRange real;
  FloatRange imaginary;
  shown.for_each([&](std::int64_t i) {
    real.add(static_cast<double>(data[i].real()));
    imaginary.add(static_cast<double>(data[i].imag()));
  });
  const FloatFormat real_format(real, options);
  const FloatFormat imaginary_format(imaginary, options);
  const std::size_t width = real_format.width() + imaginary_format.width() + 1;  // 1 for the j
  Layout(out, shown, width, options.linewidth, [&](std::string& to, std::int64_t i) {
    append_padded(to, real_format.text(static_cast<double>(data[i].real())), real_format.width());
    const auto text = imaginary_format.text(static_cast<double>(data[i].imag()));
    if (text[0] != '-') to += '+';
    to += text + 'j';
  }).write(indent);
}

/// Writes the elements of a dtype. `T` is the C++ type of the dtype.
template <class T>
void write_elements(std::string& out, const at::Tensor& tensor, const T* data, const Shown& shown,
                    std::size_t indent, const PrintOptions& options) {
  if constexpr (std::is_same_v<T, bool>) {
    write_bools(out, data, shown, indent, options);
  } else if constexpr (c10::is_complex<T>::value) {
    write_complex(out, data, shown, indent, options);
  } else if constexpr (std::is_integral_v<T>) {
    write_integers(out, data, shown, indent, options);
  } else if constexpr (std::is_convertible_v<T, float>) {
    write_floats(out, data, shown, indent, options);
  } else if constexpr (is_float4<T>) {
    if (tensor.dim() == 0) refuse_dtype(tensor.scalar_type());
    write_floats(out, reinterpret_cast<const std::uint8_t*>(data), shown, indent, options);
  } else {
    refuse_dtype(tensor.scalar_type());
  }
}

at::Tensor dequantized(const at::Tensor& tensor) {
  return tensor.is_quantized() ? tensor.dequantize() : tensor;
}

}  // namespace

void refuse_dtype(at::ScalarType type) {
  throw std::invalid_argument("cannot print elements of dtype " + dtype_name(type));
}

void require_memory(const at::Tensor& tensor) {
  const auto offset = static_cast<std::size_t>(tensor.storage_offset());
  const std::size_t needed =
      at::detail::computeStorageNbytes(tensor.sizes(), tensor.strides(), tensor.dtype().itemsize(), offset);
  const std::size_t bytes = tensor.has_storage() ? tensor.storage().nbytes() : 0;
  if (bytes >= needed && tensor.storage().data() != nullptr) return;
  throw std::invalid_argument(
      fmt::format("cannot print a tensor of size {}: its storage has {} bytes, and its elements need {}",
                  pyrepr::repr(tuple(tensor.sizes())), bytes, needed));
}

at::Tensor plain(const at::Tensor& tensor) {
  return dequantized(tensor._is_zerotensor() ? tensor.clone() : tensor).resolve_conj().resolve_neg();
}

at::Tensor shown_part(const at::Tensor& tensor, const PrintOptions& options) {
  const std::int64_t edge = options.edgeitems;
  at::Tensor part = tensor.detach();
  if (tensor.numel() <= options.threshold || edge == 0) return part;
  for (std::int64_t dim = 0; dim < tensor.dim(); ++dim) {
    const std::int64_t size = tensor.size(dim);
    if (size - edge <= edge) continue;
    std::vector<std::int64_t> sizes = part.sizes().vec();
    sizes[static_cast<std::size_t>(dim)] = 2 * edge;
    const at::Tensor head = dequantized(part.narrow(dim, 0, edge));
    const at::Tensor ends = head.new_empty(sizes);
    ends.narrow(dim, 0, edge).copy_(head);
    ends.narrow(dim, edge, edge).copy_(dequantized(part.narrow(dim, size - edge, edge)));
    part = ends;
  }
  return part;
}

void append_elements_of_part(std::string& out, const at::Tensor& part, at::IntArrayRef whole,
                             std::size_t indent, const PrintOptions& options) {
  const at::Tensor stored = plain(part);
  const bool summarize = c10::multiply_integers(whole) > options.threshold;
  if (summarize && options.edgeitems == 0 && whole.size() > 1 && release::edgeitems_zero_shows_all) {
    throw std::invalid_argument(
        "PyTorch " + std::string(pytorch_release()) +
        " cannot summarise a tensor of several dimensions with edgeitems 0; set 1 or more");
  }
  const Shown shown(whole, stored.sizes(), stored.strides(), summarize, options.edgeitems);
  visit_elements(stored,
                 [&](const auto* data) { write_elements(out, stored, data, shown, indent, options); });
}

void append_elements(std::string& out, const at::Tensor& tensor, std::size_t indent,
                     const PrintOptions& options) {
  if (tensor.numel() == 0) {
    out += "[]";
    return;
  }
  const bool in_place =
      tensor.device().is_cpu() && !tensor.is_conj() && !tensor.is_neg() && !tensor.is_quantized();
  append_elements_of_part(out, in_place ? tensor : shown_part(tensor, options).cpu(), tensor.sizes(), indent,
                          options);
}

}  // namespace torchbook::pyrepr::inline v1
