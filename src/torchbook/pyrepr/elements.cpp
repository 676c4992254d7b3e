// The elements of a strided tensor, each dtype in its own format, laid out.
#include <ATen/core/Tensor.h>
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>
#include <torchbook/pyrepr/decimal.h>
#include <torchbook/pyrepr/dtype.h>
#include <torchbook/pyrepr/elements.h>
#include <torchbook/pyrepr/layout.h>
#include <torchbook/pyrepr/number_format.h>
#include <torchbook/pyrepr/release.h>

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <type_traits>

namespace torchbook::pyrepr {
namespace {

/// Appends `text`, padded on the left.
void append_padded(Sink& out, std::string_view text, std::size_t width) {
  if (text.size() < width) out.fill(width - text.size(), ' ');
  out.append(text);
}

/// The decimal text of an integer.
class Decimal {
 public:
  template <class T>
  explicit Decimal(T value) {
    auto magnitude = static_cast<std::uint64_t>(value);
    if (value < 0) magnitude = 0 - magnitude;
    start_ = write_number(text_ + sizeof text_, magnitude);
    if (value < 0) *--start_ = '-';
  }
  std::string_view view() const { return {start_, static_cast<std::size_t>(text_ + sizeof text_ - start_)}; }

 private:
  char text_[24];
  char* start_;
};

void write_bools(Sink& out, const bool* data, const Shown& shown, std::size_t indent,
                 const PrintOptions& options) {
  std::size_t width = 1;
  const auto text = [](bool value) -> std::string_view { return value ? "True" : "False"; };
  shown.for_each([&](std::int64_t i) { width = std::max(width, text(data[i]).size()); });
  Layout(out, shown, width, options.linewidth, [&](Sink& to, std::int64_t i) {
    append_padded(to, text(data[i]), width);
  }).write(indent);
}

template <class T>
void write_integers(Sink& out, const T* data, const Shown& shown, std::size_t indent,
                    const PrintOptions& options) {
  T smallest = 0;
  T largest = 0;
  shown.for_each([&](std::int64_t i) {
    smallest = std::min(smallest, data[i]);
    largest = std::max(largest, data[i]);
  });
  const std::size_t width = std::max(Decimal(smallest).view().size(), Decimal(largest).view().size());
  Layout(out, shown, width, options.linewidth, [&](Sink& to, std::int64_t i) {
    append_padded(to, Decimal(data[i]).view(), width);
  }).write(indent);
}

template <class T>
void write_floats(Sink& out, const T* data, const Shown& shown, std::size_t indent,
                  const PrintOptions& options) {
  FloatRange range;
  shown.for_each_run([&](std::int64_t offset, std::int64_t count, std::int64_t stride) {
    range.add_run(data + offset, count, stride);
  });
  const FloatFormat format(range, options);
  Layout(out, shown, format.width(), options.linewidth, [&](Sink& to, std::int64_t i) {
    format.append_padded(to, static_cast<double>(data[i]));
  }).write(indent);
}

template <class T>
void write_complex(Sink& out, const c10::complex<T>* data, const Shown& shown, std::size_t indent,
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
  std::string text;
  Layout(out, shown, width, options.linewidth, [&](Sink& to, std::int64_t i) {
    real_format.append_padded(to, static_cast<double>(data[i].real()));
    text.clear();
    imaginary_format.append(text, static_cast<double>(data[i].imag()));
    if (text[0] != '-') to.append("+");
    to.append(text);
    to.append("j");
  }).write(indent);
}

template <class T>
void write_elements(Sink& out, const void* data, const Shown& shown, std::size_t indent,
                    const PrintOptions& options) {
  if constexpr (std::is_same_v<T, bool>) {
    write_bools(out, static_cast<const bool*>(data), shown, indent, options);
  } else if constexpr (c10::is_complex<T>::value) {
    write_complex(out, static_cast<const T*>(data), shown, indent, options);
  } else if constexpr (std::is_integral_v<T>) {
    write_integers(out, static_cast<const T*>(data), shown, indent, options);
  } else {
    write_floats(out, static_cast<const T*>(data), shown, indent, options);
  }
}

/// Writes the elements where their dtype is one of `T`; false where it is none.
template <class... T>
bool write_as_one_of(Sink& out, const at::Tensor& tensor, std::size_t indent, const PrintOptions& options) {
  const Shown shown(tensor.sizes(), tensor.strides(), tensor.numel() > options.threshold, options.edgeitems);
  const auto write = [&]<class Element>(Element*) {
    if (tensor.scalar_type() != c10::CppTypeToScalarType<Element>::value) return false;
    write_elements<Element>(out, tensor.data_ptr(), shown, indent, options);
    return true;
  };
  return (write(static_cast<T*>(nullptr)) || ...);
}

void write_dense(Sink& out, const at::Tensor& tensor, std::size_t indent, const PrintOptions& options) {
  const bool written = write_as_one_of<float, double, std::int64_t, bool, at::Half, at::BFloat16,
                                       std::uint8_t, std::int8_t, std::int16_t, std::int32_t,
                                       c10::complex<float>, c10::complex<double>, c10::complex<at::Half>
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 3)
                                       ,
                                       std::uint16_t, std::uint32_t, std::uint64_t
#endif
                                       >(out, tensor, indent, options);
  if (!written)
    throw std::invalid_argument("cannot print a tensor of dtype " + dtype_name(tensor.scalar_type()));
}

}  // namespace

void append_elements(std::string& out, const at::Tensor& tensor, std::size_t indent,
                     const PrintOptions& options) {
  if (tensor.numel() == 0) {
    out += "[]";
    return;
  }
  at::Tensor stored = tensor.device().is_cpu() ? tensor : tensor.cpu();
  // Autograd's zeros have no storage; conjugated and negated views hold the numbers of their base.
  if (stored._is_zerotensor()) stored = stored.clone();
  Sink sink(out);
  write_dense(sink, stored.resolve_conj().resolve_neg(), indent, options);
}

}  // namespace torchbook::pyrepr
