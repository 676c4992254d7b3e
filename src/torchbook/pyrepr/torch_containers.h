// Prints LibTorch's containers as Python does. Includes none of their headers: a program that has one
// includes it.
#pragma once

#include <c10/util/Optional.h>
#include <torchbook/pyrepr/containers.h>
#include <torchbook/pyrepr/tensor.h>

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace torch {
template <class Key, class Value>
class OrderedDict;
}

namespace c10 {
template <class Key, class Value>
class Dict;
template <class T>
class List;
}  // namespace c10

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1 {
namespace detail {

/// Returns whether this PyTorch's OrderedDict shows a dict instead of a list of pairs.
bool ordered_dicts_show_a_dict();

/// Returns the text of a value in an OrderedDict. A tensor that autograd trains (a leaf that requires grad)
/// is a Parameter.
template <class Value>
std::string ordered_value(const Value& value) {
  if constexpr (std::is_same_v<Value, at::Tensor>) {
    if (value.defined() && value.is_leaf() && value.requires_grad()) return pyrepr::repr(Parameter{value});
  }
  return pyrepr::repr(value);
}

template <class T>
using Plain = std::remove_cvref_t<T>;

/// What a loop over a torch::OrderedDict gives.
template <class T>
concept OrderedItem = requires(const T& item) {
  requires std::same_as<
      T, typename torch::OrderedDict<Plain<decltype(item.key())>, Plain<decltype(item.value())>>::Item>;
};

}  // namespace detail

/// A tuple of name and value, as what a loop over `named_parameters()` gives in Python.
template <detail::OrderedItem T>
struct Printer<T> {
  static constexpr std::string_view python_type = "tuple";
  static std::string repr(const T& item) {
    detail::Enclosed text("(");
    text.add(pyrepr::repr(item.key()));
    text.add(detail::ordered_value(item.value()));
    return std::move(text).closed(")");
  }
};

/// `OrderedDict([('weight', tensor(…))])`, and newer, `OrderedDict({'weight': tensor(…)})`. A tensor in it
/// that autograd trains (a leaf that requires grad) is a Parameter, since such a dict is what
/// named_parameters() returns; a frozen parameter is a tensor here, because C++ cannot tell it from a buffer.
template <class Key, class Value>
struct Printer<torch::OrderedDict<Key, Value>> {
  static constexpr std::string_view python_type = "collections.OrderedDict";
  static std::string repr(const torch::OrderedDict<Key, Value>& entries) {
    if (entries.is_empty()) return "OrderedDict()";
    const bool as_dict = detail::ordered_dicts_show_a_dict();
    detail::Enclosed text(as_dict ? "OrderedDict({" : "OrderedDict([");
    for (const auto& entry : entries) {
      std::string pair = as_dict ? "" : "(";
      pair += pyrepr::repr(entry.key());
      pair += as_dict ? ": " : ", ";
      pair += detail::ordered_value(entry.value());
      if (!as_dict) pair += ")";
      text.add(pair);
    }
    return std::move(text).closed(as_dict ? "})" : "])");
  }
};

/// The value that it holds, or None. Newer releases use std::optional here.
template <class T>
requires(!std::same_as<c10::optional<T>, std::optional<T>>) struct Printer<c10::optional<T>>
    : detail::OptionalPrinter, detail::TakesSpecsOfTypes<T> {
};

/// None. Newer releases use std::nullopt here.
template <std::same_as<c10::nullopt_t> T>
requires(!std::same_as<T, std::nullopt_t>) struct Printer<T> : detail::NonePrinter {
};

/// A dict, in the order of insertion.
template <class Key, class Value>
struct Printer<c10::Dict<Key, Value>> {
  static constexpr std::string_view python_type = "dict";
  static std::string repr(const c10::Dict<Key, Value>& entries) {
    detail::Enclosed text("{");
    for (const auto& entry : entries)
      text.add(pyrepr::repr(entry.key()) + ": " + pyrepr::repr(entry.value()));
    return std::move(text).closed("}");
  }
};

/// A list.
template <class T>
struct Printer<c10::List<T>> {
  static constexpr std::string_view python_type = "list";
  static std::string repr(const c10::List<T>& values) {
    detail::Enclosed text("[");
    for (std::size_t i = 0; i < values.size(); ++i) text.add(pyrepr::repr(values.get(i)));
    return std::move(text).closed("]");
  }
};

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
