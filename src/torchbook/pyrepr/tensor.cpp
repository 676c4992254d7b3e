// The text of a dense CPU tensor: its elements, laid out, and the suffixes.
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>
#include <c10/util/complex.h>
#include <torchbook/pyrepr/layout.h>
#include <torchbook/pyrepr/number_format.h>
#include <torchbook/pyrepr/release.h>
#include <torchbook/pyrepr/suffixes.h>
#include <torchbook/pyrepr/tensor.h>

#include <charconv>
#include <stdexcept>
#include <type_traits>

namespace torchbook::pyrepr {
namespace {

constexpr std::string_view prefix = "tensor(";

/// Appends `text`, padded on the left.
void append_padded(std::string& out, std::string_view text, std::size_t width) {
  if (text.size() < width) out.append(width - text.size(), ' ');
  out += text;
}

/// The decimal text of an integer, without allocating.
class Decimal {
 public:
  template <class T>
  explicit Decimal(T value) : end_(std::to_chars(text_, text_ + sizeof text_, value).ptr) {}
  std::string_view view() const { return {text_, static_cast<std::size_t>(end_ - text_)}; }

 private:
  char text_[24];
  char* end_;
};

void write_bools(std::string& out, const bool* data, const Shown& shown, const PrintOptions& options) {
  std::size_t width = 1;
  const auto text = [](bool value) -> std::string_view { return value ? "True" : "False"; };
  shown.for_each([&](std::int64_t i) { width = std::max(width, text(data[i]).size()); });
  Layout(out, shown, width, options.linewidth, [&](std::string& to, std::int64_t i) {
    append_padded(to, text(data[i]), width);
  }).write(prefix.size());
}

template <class T>
void write_integers(std::string& out, const T* data, const Shown& shown, const PrintOptions& options) {
  T smallest = 0;
  T largest = 0;
  shown.for_each([&](std::int64_t i) {
    smallest = std::min(smallest, data[i]);
    largest = std::max(largest, data[i]);
  });
  const std::size_t width = std::max(Decimal(smallest).view().size(), Decimal(largest).view().size());
  Layout(out, shown, width, options.linewidth, [&](std::string& to, std::int64_t i) {
    append_padded(to, Decimal(data[i]).view(), width);
  }).write(prefix.size());
}

template <class T>
void write_floats(std::string& out, const T* data, const Shown& shown, const PrintOptions& options) {
  FloatRange range;
  shown.for_each([&](std::int64_t i) { range.add(static_cast<double>(data[i])); });
  const FloatFormat format(range, options);
  Layout(out, shown, format.width(), options.linewidth, [&](std::string& to, std::int64_t i) {
    format.append_padded(to, static_cast<double>(data[i]));
  }).write(prefix.size());
}

template <class T>
void write_complex(std::string& out, const c10::complex<T>* data, const Shown& shown,
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
    real_format.append_padded(to, static_cast<double>(data[i].real()));
    const std::size_t start = to.size();
    imaginary_format.append(to, static_cast<double>(data[i].imag()));
    if (to[start] != '-') to.insert(start, 1, '+');
    to += 'j';
  }).write(prefix.size());
}

template <class T>
void write_elements(std::string& out, const void* data, const Shown& shown, const PrintOptions& options) {
  if constexpr (std::is_same_v<T, bool>) {
    write_bools(out, static_cast<const bool*>(data), shown, options);
  } else if constexpr (c10::is_complex<T>::value) {
    write_complex(out, static_cast<const T*>(data), shown, options);
  } else if constexpr (std::is_integral_v<T>) {
    write_integers(out, static_cast<const T*>(data), shown, options);
  } else {
    write_floats(out, static_cast<const T*>(data), shown, options);
  }
}

void write_dense(std::string& out, const at::Tensor& tensor, const PrintOptions& options) {
  const Shown shown(tensor.sizes(), tensor.strides(), tensor.numel() > options.threshold, options.edgeitems);
  const void* data = tensor.data_ptr();
  const auto write = [&]<class T>(T) { write_elements<T>(out, data, shown, options); };
  switch (tensor.scalar_type()) {
    case at::kByte:
      return write(std::uint8_t{});
    case at::kChar:
      return write(std::int8_t{});
    case at::kShort:
      return write(std::int16_t{});
    case at::kInt:
      return write(int{});
    case at::kLong:
      return write(std::int64_t{});
    case at::kHalf:
      return write(at::Half{});
    case at::kBFloat16:
      return write(at::BFloat16{});
    case at::kFloat:
      return write(float{});
    case at::kDouble:
      return write(double{});
    case at::kBool:
      return write(bool{});
    case at::kComplexHalf:
      return write(c10::complex<at::Half>{});
    case at::kComplexFloat:
      return write(c10::complex<float>{});
    case at::kComplexDouble:
      return write(c10::complex<double>{});
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 3)
    case at::kUInt16:
      return write(std::uint16_t{});
    case at::kUInt32:
      return write(std::uint32_t{});
    case at::kUInt64:
      return write(std::uint64_t{});
#endif
    default:
      throw std::invalid_argument("cannot print a tensor of dtype " + dtype_name(tensor.scalar_type()));
  }
}

void require_supported(const at::Tensor& tensor) {
  if (!tensor.defined()) throw std::invalid_argument("cannot print an undefined tensor");
  if (!tensor.device().is_cpu() && !tensor.is_meta()) {
    throw std::invalid_argument("cannot print a tensor on " + tensor.device().str() +
                                "; copy it to the CPU first");
  }
  if (tensor.layout() != at::kStrided || tensor.is_quantized() || tensor.is_nested()) {
    throw std::invalid_argument("cannot print a sparse, quantized or nested tensor; make it dense first");
  }
}

}  // namespace

std::string repr(const at::Tensor& tensor, const PrintOptions& options) {
  require_supported(tensor);
  std::string text(prefix);
  if (tensor.is_meta()) {
    text += "...";
  } else if (tensor.numel() == 0) {
    text += "[]";
  } else {
    // Autograd's zeros have no storage; conjugated and negated views hold the numbers of their base.
    const at::Tensor stored = tensor._is_zerotensor() ? tensor.clone() : tensor;
    write_dense(text, stored.resolve_conj().resolve_neg(), options);
  }
  append_suffixes(text, suffixes_of(tensor, options), prefix.size(), options.linewidth);
  text += ')';
  return text;
}

std::string repr(const at::Tensor& tensor) { return repr(tensor, print_options()); }

}  // namespace torchbook::pyrepr
