#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/pyrepr/describe.h>
#include <torchbook/pyrepr/dtype.h>
#include <torchbook/pyrepr/elements.h>
#include <torchbook/pyrepr/layout.h>
#include <torchbook/pyrepr/python.h>
#include <torchbook/pyrepr/release.h>
#include <torchbook/pyrepr/torch_values.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace torchbook::pyrepr::inline v1 {
namespace {

using Parts = std::vector<std::string>;

Shown everything(const at::Tensor& tensor) {
  return {tensor.sizes(), tensor.sizes(), tensor.strides(), /*summarize=*/false, /*edgeitems=*/0};
}

/// The range, mean and deviation of the finite numbers among those added. A Number is an integer or a double.
template <class Number>
struct Statistics {
  std::int64_t nan = 0, inf = 0, finite = 0;
  Number smallest{}, largest{};
  double mean = 0, squares = 0;  // the sum of the squared distances from the mean

  void add(Number number) {
    const auto value = static_cast<double>(number);
    if (std::isnan(value)) {
      ++nan;
    } else if (std::isinf(value)) {
      ++inf;
    } else {
      smallest = finite == 0 ? number : std::min(smallest, number);
      largest = finite == 0 ? number : std::max(largest, number);
      const double distance = value - mean;
      mean += distance / static_cast<double>(++finite);
      squares += distance * (value - mean);
    }
  }
};

template <class Number>
void add_statistics(Parts& parts, const Statistics<Number>& all, const std::string& prefix) {
  const auto text = [](auto number) {
    return std::is_integral_v<decltype(number)> ? repr(number) : detail::format_float(double(number), ".4g");
  };
  if (all.finite == 1 && all.nan + all.inf == 0) {
    parts.push_back(prefix + text(all.smallest));
  } else if (all.finite > 0 && all.smallest == all.largest) {
    parts.push_back(prefix + "all " + text(all.smallest));
  } else if (all.finite > 0) {
    parts.push_back(prefix + text(all.smallest) + " … " + text(all.largest));
    parts.push_back("mean " + text(all.mean));
    parts.push_back("std " + text(std::sqrt(all.squares / static_cast<double>(all.finite - 1))));
  }
  if (all.nan > 0) parts.push_back(std::to_string(all.nan) + " nan");
  if (all.inf > 0) parts.push_back(std::to_string(all.inf) + " inf");
}

/// Adds what the elements of a strided tensor are like.
void add_elements(Parts& parts, const at::Tensor& tensor) {
  if (tensor.numel() == 0) return parts.emplace_back("empty"), void();
  const at::Tensor stored = plain(tensor).cpu();
  visit_elements(stored, [&]<class T>(const T* data) {
    if constexpr (std::is_same_v<T, bool>) {
      std::int64_t trues = 0;
      everything(stored).for_each([&](std::int64_t i) { trues += data[i] ? 1 : 0; });
      parts.push_back(fmt::format("{} of {} True", trues, stored.numel()));
    } else if constexpr (c10::is_complex<T>::value) {
      Statistics<double> all;
      everything(stored).for_each(
          [&](std::int64_t i) { all.add(std::hypot(double(data[i].real()), double(data[i].imag()))); });
      add_statistics(parts, all, "abs ");
    } else if constexpr (std::is_convertible_v<T, float>) {
      Statistics<std::conditional_t<std::is_integral_v<T>, T, double>> all;
      everything(stored).for_each([&](std::int64_t i) { all.add(data[i]); });
      add_statistics(parts, all, "");
    } else {
      refuse_dtype(stored.scalar_type());
    }
  });
}

/// Returns an element as a literal of C++. All elements of a dtype have literals of one type, as
/// torch::tensor demands.
template <class T>
std::string literal(T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::is_integral_v<T>) {
    if constexpr (std::is_same_v<T, std::int64_t>) {
      if (value == std::numeric_limits<T>::min()) return "INT64_MIN";
    }
    const bool fits_int = sizeof(T) < sizeof(int) || std::is_same_v<T, int>;
    return std::to_string(value) + (fits_int ? "" : "L");
  } else if constexpr (c10::is_complex<T>::value) {
    constexpr bool wide = std::is_same_v<T, c10::complex<double>>;
    return fmt::format("c10::complex<{}>({}, {})", wide ? "double" : "float", literal(value.real()),
                       literal(value.imag()));
  } else {
    using Float = std::conditional_t<std::is_same_v<T, double>, double, float>;
    const auto number = static_cast<Float>(value);
    if (std::isfinite(number)) {
      std::string text = fmt::format("{}", number);
      if (text.find_first_of(".e") == std::string::npos) text += ".0";
      return sizeof number == 4 ? text + "f" : text;
    }
    const std::string name = std::isnan(number) ? "NAN" : number < 0 ? "-INFINITY" : "INFINITY";
    return sizeof number == 4 ? name : "double{" + name + "}";
  }
}

std::string cpp_elements(const at::Tensor& tensor, std::size_t indent) {
  std::string text;
  visit_elements(tensor, [&]<class T>(const T* data) {
    if constexpr (std::is_convertible_v<T, float> || c10::is_complex<T>::value) {
      std::size_t width = 0;
      const Shown all = everything(tensor);
      all.for_each([&](std::int64_t i) { width = std::max(width, literal(data[i]).size()); });
      const std::int64_t linewidth = 100;
      Layout(text, all, width, linewidth, [&](std::string& out, std::int64_t i) {
        out += literal(data[i]);
      }).write(indent);
    } else {
      refuse_dtype(tensor.scalar_type());
    }
  });
  std::replace(text.begin(), text.end(), '[', '{');
  std::replace(text.begin(), text.end(), ']', '}');
  return text;
}

}  // namespace

std::string summary(const at::Tensor& tensor) {
  if (!tensor.defined()) return "None";
  const std::string dtype = dtype_name(tensor.scalar_type()).substr(std::string_view("torch.").size());
  if (tensor.is_nested()) return fmt::format("nested {}, {} tensors", dtype, tensor.size(0));
  Parts parts{repr(tuple(tensor.sizes())) + " " + dtype};
  if (!tensor.is_cpu()) parts.push_back(tensor.device().str());
  const at::Tensor dense = tensor.detach();
  const at::Layout layout = tensor.layout();
  if (layout == at::kMkldnn) {
    add_elements(parts, dense.to_dense());
  } else if (layout != at::kStrided) {
    parts.push_back(repr(layout).substr(std::string_view("torch.").size()));
    if (!tensor.is_meta()) {
      parts.push_back("nnz " + std::to_string(dense._nnz()));
      add_elements(parts, layout == at::kSparse ? dense._values() : dense.values());
    }
  } else {
    if (!tensor.is_meta()) add_elements(parts, dense);
    if (!tensor.is_contiguous()) parts.push_back("strides " + repr(tuple(tensor.strides())));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string cpp(const at::Tensor& tensor) {
  if (!tensor.defined()) return "torch::Tensor()";
  if (tensor.is_nested() || tensor.layout() != at::kStrided || tensor.is_quantized() || tensor.is_meta()) {
    throw std::invalid_argument("cpp() writes dense tensors, and this one is " +
                                (tensor.is_nested() ? "nested" : summary(tensor)) +
                                "; convert it first, such as by to_dense() or dequantize()");
  }
#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 3)
  // torch::tensor takes no unsigned numbers of 64 bits.
  if (tensor.scalar_type() == at::kUInt64) return cpp(tensor.view(at::kLong)) + ".view(torch::kUInt64)";
#endif
  const std::string dtype = std::string("torch::k") + at::toString(tensor.scalar_type());
  if (tensor.numel() == 0)
    return fmt::format("torch::empty({{{}}}, {})", fmt::join(tensor.sizes(), ", "), dtype);
  const std::string start = "torch::tensor(";
  return start + cpp_elements(plain(tensor.detach()).cpu(), start.size()) + ", " + dtype + ")";
}

}  // namespace torchbook::pyrepr::inline v1
