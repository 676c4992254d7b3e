// Reports the values of names after the cells of a port. Only the program that proves a port calls it, not
// the port.
#pragma once

#include <torch/nn/module.h>
#include <torchbook/pyrepr/dict.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

/// A value is a JSON text, which proof.py makes of Python's values in the same way: of a number or a str
/// its description as a string, of a tensor an array (dtype and shape, elements, gradient), of a list or
/// tuple one of its items, of a dict `{"dict": [[key, value], ...]}`, of an object `{"id": 0, "members":
/// {name: value}}`, and of what has no such text null. An object that a text holds several times has its
/// members once, and is `{"id": 0}` elsewhere. C++ numbers only what pointers share.
namespace torchbook::proof {

/// The names and texts of the members of an object, or of the items of a dict with literal keys.
using Members = std::vector<std::pair<std::string_view, std::string>>;

/// Returns a repr, which has no control characters, as a JSON string. A long one is replaced by its size and
/// hash.
std::string leaf(std::string_view text);

/// Describes a tensor: its dtype, sizes and elements, whether it requires a gradient, and its gradient.
std::string tensor(const at::Tensor& value);

/// Returns the texts of items as an array. Very many are replaced by their number and hash.
std::string array(const std::vector<std::string>& items);

std::string dict(const Members& items);
std::string object(const Members& members);

/// Describes a module by its parameters, buffers, mode and `members`.
std::string object(const torch::nn::Module& module, Members members = {});

/// A value that is deeper than this inside of others is null.
class Depth {
 public:
  Depth() { ++depth(); }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
  ~Depth() { --depth(); }
  static bool is_too_deep() { return depth() > 100; }

 private:
  static int& depth() {
    static int value = 0;
    return value;
  }
};

/// Returns the text of what `pointer` points to, which `text` makes; for an object that the text of a name
/// has already, its number.
std::string shared(const void* pointer, const std::function<std::string()>& text);

template <class T>
std::string text(const T& value);

namespace detail {

template <class T>
inline constexpr bool is_tuple = false;
template <class... Parts>
inline constexpr bool is_tuple<std::tuple<Parts...>> = true;
template <class First, class Second>
inline constexpr bool is_tuple<std::pair<First, Second>> = true;

template <class Key, class Value>
std::string dict_text(const Dict<Key, Value>& values) {
  std::vector<std::string> items;
  for (const auto& [key, value] : values) items.push_back("[" + text(key) + "," + text(value) + "]");
  return R"({"dict":)" + array(items) + "}";
}

template <class T>
concept IsDict = requires(const T& value) {
  dict_text(value);
};

template <class T>
concept IsPointer = requires(const T& value) {
  value.get();
  *value;
  static_cast<bool>(value);
};

template <class T>
std::string range_text(const T& values) {
  std::vector<std::string> items;
  for (const auto& each : values) items.push_back(text(each));
  return array(items);
}

}  // namespace detail

/// Returns the text of a value.
template <class T>
std::string text(const T& value) {
  if constexpr (requires { value.proved(); }) {
    const Depth depth;
    return Depth::is_too_deep() ? "null" : value.proved();
  } else if constexpr (std::same_as<T, pyrepr::Size>) {
    return text(value.sizes);
  } else if constexpr (std::same_as<T, at::Tensor>) {
    return tensor(value);
  } else if constexpr (std::derived_from<T, torch::nn::Module>) {
    return object(value);
  } else if constexpr (requires { value.ptr()->named_parameters(); }) {  // an AnyModule
    return object(*value.ptr());
  } else if constexpr (detail::IsPointer<T>) {
    return value ? shared(value.get(), [&] { return text(*value); }) : leaf("None");
  } else if constexpr (requires { value.has_value(); }) {
    return value.has_value() ? text(*value) : leaf("None");
  } else if constexpr (requires { value.valueless_by_exception(); }) {
    return std::visit([](const auto& each) { return text(each); }, value);
  } else if constexpr (detail::is_tuple<T>) {
    return std::apply([](const auto&... parts) { return array({text(parts)...}); }, value);
  } else if constexpr (detail::IsDict<T>) {
    return detail::dict_text(value);
  } else if constexpr (std::ranges::forward_range<const T> &&
                       !std::convertible_to<const T&, std::string_view>) {
    return detail::range_text(value);
  } else if constexpr (requires { value.to_float(); }) {  // a number of NumPy
    return leaf(pyrepr::str(value));
  } else if constexpr (pyrepr::detail::HasPrinter<T>) {
    return leaf(pyrepr::repr(value));
  } else {
    return "null";
  }
}

/// Makes tell() report the value of a name from here on. `text` reads the variable, which must live as long.
void hold(const std::string& name, std::function<std::string()> text);

/// Makes tell() forget a name.
void drop(const std::string& name);

/// Reports the values of all names at the end of a cell, the states of the generators, and the default dtype.
void tell(std::size_t cell);

}  // namespace torchbook::proof
