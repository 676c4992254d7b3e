// Prints containers as Python's list, tuple, set and dict.
#pragma once

#include <torchbook/pyrepr/composition.h>
#include <torchbook/pyrepr/python.h>

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <initializer_list>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1 {
namespace detail {

/// Composes the elements of a sequence, with commas between.
template <class Sequence>
void compose_all(const Sequence& values, Composition& out) {
  for (const auto& value : values) {
    if (!out.next()) break;
    out.value(value);
  }
}

/// Prints a sequence as a list: `[a, b]`.
struct ListPrinter : ComposedPrinter {
  static constexpr std::string_view python_type = "list";
  template <class Sequence>
  static void compose(const Sequence& values, Composition& out) {
    out.open("[");
    compose_all(values, out);
    out.close("]");
  }
};

/// Prints a sequence as a tuple: `(a, b)`, `(a,)`, `()`.
struct SequenceAsTuplePrinter : ComposedPrinter {
  static constexpr std::string_view python_type = "tuple";
  template <class Sequence>
  static void compose(const Sequence& values, Composition& out) {
    out.open("(");
    compose_all(values, out);
    if (values.size() == 1) out.text(",");
    out.close(")");
  }
};

/// Prints the value that an optional holds, or None.
struct OptionalPrinter : ComposedPrinter {
  template <class Optional>
  static void compose(const Optional& value, Composition& out) {
    value ? out.value(*value) : out.leaf("None");
  }
  template <class Optional>
  static std::string str(const Optional& value) {
    return value ? pyrepr::str(*value) : "None";
  }
  template <class Optional>
  static std::string format(const Optional& value, std::string_view spec) {
    return value ? pyrepr::format(*value, spec) : pyrepr::format(nullptr, spec);
  }
};

/// Prints a tuple: `(a, b)`, `(a,)`, `()`.
struct TuplePrinter : ComposedPrinter {
  static constexpr std::string_view python_type = "tuple";
  template <class Tuple>
  static void compose(const Tuple& values, Composition& out) {
    out.open("(");
    std::apply([&](const auto&... value) { ((out.next(), out.value(value)), ...); }, values);
    if constexpr (std::tuple_size_v<Tuple> == 1) out.text(",");
    out.close(")");
  }
};

/// Returns the elements of a container that has no order, sorted, so that every run prints the same.
template <class Container, class Key>
auto sorted_elements(const Container& container, Key key) {
  std::vector<std::reference_wrapper<const typename Container::value_type>> sorted(container.begin(),
                                                                                   container.end());
  std::sort(sorted.begin(), sorted.end(), [&](const auto& one, const auto& other) {
    return std::invoke(key, one.get()) < std::invoke(key, other.get());
  });
  return sorted;
}

/// Prints a set: `{a, b}`, `set()`.
template <class Value>
struct SetPrinter : ComposedPrinter {
  static constexpr std::string_view python_type = "set";
  template <class Values>
  static void compose(const Values& values, Composition& out) {
    if (values.empty()) return out.leaf("set()");
    out.open("{");
    for (const Value& value : values) {
      if (!out.next()) break;
      out.value(value);
    }
    out.close("}");
  }
};

/// Prints a dict: `{key: value}`.
template <class Entry>
struct DictPrinter : ComposedPrinter {
  static constexpr std::string_view python_type = "dict";
  template <class Entries>
  static void compose(const Entries& entries, Composition& out) {
    out.open("{");
    for (const Entry& entry : entries) {
      if (!out.next()) break;
      out.value(entry.first);
      out.text(": ");
      out.value(entry.second);
    }
    out.close("}");
  }
};

}  // namespace detail

/// The value that it holds, or None.
template <class T>
struct Printer<std::optional<T>> : detail::OptionalPrinter, detail::TakesSpecsOfTypes<T> {};

/// The value that it holds.
template <class... T>
struct Printer<std::variant<T...>> : detail::ComposedPrinter, detail::TakesSpecsOfTypes<T...> {
  static void compose(const std::variant<T...>& value, detail::Composition& out) {
    std::visit([&](const auto& held) { out.value(held); }, value);
  }
  static std::string str(const std::variant<T...>& value) {
    return std::visit([](const auto& held) { return pyrepr::str(held); }, value);
  }
  static std::string format(const std::variant<T...>& value, std::string_view spec) {
    return std::visit([&](const auto& held) { return pyrepr::format(held, spec); }, value);
  }
};

/// A tuple.
template <class... T>
struct Printer<std::tuple<T...>> : detail::TuplePrinter {};
/// A tuple of two.
template <class First, class Second>
struct Printer<std::pair<First, Second>> : detail::TuplePrinter {};

/// A list.
template <class T, class Allocator>
struct Printer<std::vector<T, Allocator>> : detail::ListPrinter {};
/// A list.
template <class T, std::size_t N>
struct Printer<std::array<T, N>> : detail::ListPrinter {};
/// A list.
template <class T, std::size_t N>
struct Printer<std::span<T, N>> : detail::ListPrinter {};

/// A list.
template <class T, class Allocator>
struct Printer<std::deque<T, Allocator>> : detail::ListPrinter {};
/// A list.
template <class T, class Allocator>
struct Printer<std::list<T, Allocator>> : detail::ListPrinter {};
/// A list.
template <class T>
struct Printer<std::initializer_list<T>> : detail::ListPrinter {};

/// A set, in its own order.
template <class T, class... Rest>
struct Printer<std::set<T, Rest...>> : detail::SetPrinter<T> {};

/// A set, in the order of its sorted elements.
template <class T, class... Rest>
struct Printer<std::unordered_set<T, Rest...>> : detail::SetPrinter<T> {
  static void compose(const std::unordered_set<T, Rest...>& values, detail::Composition& out) {
    detail::SetPrinter<T>::compose(detail::sorted_elements(values, std::identity()), out);
  }
};

/// A dict, in the map's own order.
template <class Key, class Value, class... Rest>
struct Printer<std::map<Key, Value, Rest...>> : detail::DictPrinter<std::pair<const Key, Value>> {};

/// A dict, in the order of its sorted keys.
template <class Key, class Value, class... Rest>
struct Printer<std::unordered_map<Key, Value, Rest...>> : detail::DictPrinter<std::pair<const Key, Value>> {
  static void compose(const std::unordered_map<Key, Value, Rest...>& entries, detail::Composition& out) {
    using Entry = std::pair<const Key, Value>;
    detail::DictPrinter<Entry>::compose(detail::sorted_elements(entries, &Entry::first), out);
  }
};

/// What it refers to.
template <class T>
struct Printer<std::reference_wrapper<T>> : Printer<std::remove_cv_t<T>> {};

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
