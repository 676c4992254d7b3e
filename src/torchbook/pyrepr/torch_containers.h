// Prints LibTorch's containers as Python does. Does not include their headers. A program that uses
// a container has already included its header.
#pragma once

#include <c10/util/MaybeOwned.h>
#include <c10/util/Optional.h>
#include <torchbook/pyrepr/containers.h>
#include <torchbook/pyrepr/tensor.h>

#include <concepts>
#include <memory>
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

/// Returns release::ordered_dicts_show_a_dict as compiled into the library.
bool ordered_dicts_show_a_dict();

/// Writes a value of an OrderedDict. A leaf tensor that requires grad prints as a Parameter.
template <class Value>
void compose_ordered(const Value& value, Composition& out) {
  if constexpr (std::is_same_v<Value, at::Tensor>) {
    if (value.defined() && value.is_leaf() && value.requires_grad()) return out.value(Parameter{value});
  }
  out.value(value);
}

template <class T>
using Plain = std::remove_cvref_t<T>;

/// The item type of a torch::OrderedDict.
template <class T>
concept OrderedItem = requires(const T& item) {
  requires std::same_as<
      T, typename torch::OrderedDict<Plain<decltype(item.key())>, Plain<decltype(item.value())>>::Item>;
};

}  // namespace detail

/// A tuple of name and value, as Python's `named_parameters()` yields.
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

/// `OrderedDict([('weight', tensor(…))])`, or in newer releases `OrderedDict({'weight':
/// tensor(…)})`. A leaf tensor that requires grad prints as a Parameter, because named_parameters()
/// returns such a dict. A frozen parameter prints as a plain tensor, because C++ cannot distinguish
/// it from a buffer.
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

/// The contained value, or None. In newer releases, c10::optional is std::optional.
template <class T>
requires(!std::same_as<c10::optional<T>, std::optional<T>>) struct Printer<c10::optional<T>>
    : detail::OptionalPrinter, detail::TakesSpecsOfTypes<T> {
};

/// The tensor to which it points, or None.
template <>
struct Printer<std::shared_ptr<at::Tensor>> : detail::OptionalPrinter,
                                              detail::TakesSpecsOfTypes<at::Tensor> {};

/// What it owns or borrows.
template <class T>
struct Printer<c10::MaybeOwned<T>> : detail::ComposedPrinter, detail::TakesSpecsOfTypes<T> {
  static void compose(const c10::MaybeOwned<T>& value, detail::Composition& out) { out.value(*value); }
  static std::string str(const c10::MaybeOwned<T>& value) { return pyrepr::str(*value); }
  static std::string format(const c10::MaybeOwned<T>& value, std::string_view spec) {
    return pyrepr::format(*value, spec);
  }
};

/// None. In newer releases, c10::nullopt_t is std::nullopt_t.
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
