// Lets fmt format tensors and wrapped values as Python's f-strings do. Leave this header out if your program
// has a fmt::formatter of tensors of its own.
#pragma once

#include <fmt/format.h>
#include <torchbook/pyrepr/format_spec.h>
#include <torchbook/pyrepr/size.h>
#include <torchbook/pyrepr/stream.h>
#include <torchbook/pyrepr/tensor.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1::detail {

/// Stores the format spec of a replacement field for format(), which treats it as Python's
/// `__format__` does. A spec that Python refuses for every T does not compile.
template <class T>
struct SpecFormatter {
  std::string_view spec;  ///< the part of the format string after the colon

  /// Reads the spec and returns its end, as fmt asks of a formatter.
  constexpr auto parse(fmt::format_parse_context& context) {
    auto end = context.begin();
    while (end != context.end() && *end != '}') ++end;
    spec = std::string_view(context.begin(), static_cast<std::size_t>(end - context.begin()));
    detail::require_no_fault(detail::spec_fault<T>(spec));
    return end;
  }

  /// Writes the text of a value.
  template <class Context>
  auto format(const T& value, Context& context) const {
    const std::string text = pyrepr::format(value, spec);
    return std::copy(text.begin(), text.end(), context.out());
  }

  /// fmt/ranges.h calls this for the elements of a container, which it does not print as Python does.
  template <class... Flag>
  constexpr void set_debug_format(Flag...) {
    static_assert(sizeof...(Flag) > 1,
                  "fmt does not print containers as Python does. Wrap this one: py::python(container)");
  }
};

/// For containers of tensors, which fmt does not print as Python does: formatting one does not
/// compile.
template <>
struct SpecFormatter<void> {
  /// Fails to compile.
  template <class Context>
  constexpr auto parse(Context& context) {
    static_assert(std::is_void_v<Context>,
                  "fmt does not print containers as Python does. Wrap this one: py::python(container)");
    return context.begin();
  }
};

}  // namespace torchbook::pyrepr::inline v1::detail
#pragma GCC visibility pop

/// @cond the reference leaves these out, because they belong to fmt
template <>
struct fmt::formatter<at::Tensor> : torchbook::pyrepr::detail::SpecFormatter<at::Tensor> {};
template <>
struct fmt::formatter<torchbook::pyrepr::Parameter>
    : torchbook::pyrepr::detail::SpecFormatter<torchbook::pyrepr::Parameter> {};
template <>
struct fmt::formatter<torchbook::pyrepr::Size>
    : torchbook::pyrepr::detail::SpecFormatter<torchbook::pyrepr::Size> {};

template <class T>
struct fmt::formatter<torchbook::pyrepr::Python<T>>
    : torchbook::pyrepr::detail::SpecFormatter<std::remove_cvref_t<T>> {
  template <class Context>
  auto format(const torchbook::pyrepr::Python<T>& python, Context& context) const {
    return torchbook::pyrepr::detail::SpecFormatter<std::remove_cvref_t<T>>::format(python.value, context);
  }
};

#if FMT_VERSION < 100000
// fmt before 10 does not use the formatters of a tuple's elements. With these, formatting a tuple
// of tensors does not compile. With fmt/ranges.h, these make its own formatters ambiguous.
template <class... T>
requires(std::is_same_v<std::remove_cv_t<T>, at::Tensor> || ...) struct fmt::formatter<std::tuple<T...>, char>
    : torchbook::pyrepr::detail::SpecFormatter<void> {
};
template <class First, class Second>
requires(std::is_same_v<First, at::Tensor> ||
         std::is_same_v<Second, at::Tensor>) struct fmt::formatter<std::pair<First, Second>, char>
    : torchbook::pyrepr::detail::SpecFormatter<void> {
};
#endif
/// @endcond
