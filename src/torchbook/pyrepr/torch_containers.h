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

/// Writes a value of an OrderedDict. A tensor that autograd trains (a leaf that requires grad) is a
/// Parameter.
template <class Value>
void compose_ordered(const Value& value, Composition& out) {
  if constexpr (std::is_same_v<Value, at::Tensor>) {
    if (value.defined() && value.is_leaf() && value.requires_grad()) return out.value(Parameter{value});
  }
  out.value(value);
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
struct Printer<T> : detail::ComposedPrinter {
  static constexpr std::string_view python_type = "tuple";
  static void compose(const T& item, detail::Composition& out) {
    out.open("(");
    out.next();
    out.value(item.key());
    out.next();
    detail::compose_ordered(item.value(), out);
    out.close(")");
  }
};

/// `OrderedDict([('weight', tensor(…))])`, and newer, `OrderedDict({'weight': tensor(…)})`. A tensor in it
/// that autograd trains (a leaf that requires grad) is a Parameter, since such a dict is what
/// named_parameters() returns; a frozen parameter is a tensor here, because C++ cannot tell it from a buffer.
template <class Key, class Value>
struct Printer<torch::OrderedDict<Key, Value>> : detail::ComposedPrinter {
  static constexpr std::string_view python_type = "collections.OrderedDict";
  static void compose(const torch::OrderedDict<Key, Value>& entries, detail::Composition& out) {
    out.begin_group();
    out.open("OrderedDict(");
    if (!entries.is_empty()) {
      const bool as_dict = detail::ordered_dicts_show_a_dict() && !out.for_jupyter();
      as_dict ? compose_dict(entries, out) : detail::ListPrinter::compose(entries, out);
    }
    out.close(")");
    out.end_group();
  }

 private:
  static void compose_dict(const torch::OrderedDict<Key, Value>& entries, detail::Composition& out) {
    out.open("{");
    for (const auto& entry : entries) {
      out.next();
      out.value(entry.key());
      out.text(": ");
      detail::compose_ordered(entry.value(), out);
    }
    out.close("}");
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
struct Printer<c10::Dict<Key, Value>> : detail::ComposedPrinter {
  static constexpr std::string_view python_type = "dict";
  static void compose(const c10::Dict<Key, Value>& entries, detail::Composition& out) {
    out.open("{");
    for (const auto& entry : entries) {
      if (!out.next()) break;
      out.value(entry.key());
      out.text(": ");
      out.value(entry.value());
    }
    out.close("}");
  }
};

/// A list.
template <class T>
struct Printer<c10::List<T>> : detail::ComposedPrinter {
  static constexpr std::string_view python_type = "list";
  static void compose(const c10::List<T>& values, detail::Composition& out) {
    out.open("[");
    for (std::size_t i = 0; i < values.size() && out.next(); ++i) out.value(values.get(i));
    out.close("]");
  }
};

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
