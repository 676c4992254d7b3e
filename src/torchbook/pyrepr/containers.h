// Prints containers as Python's list, tuple, set and dict.
#pragma once

#include <torchbook/pyrepr/python.h>

#include <algorithm>
#include <array>
#include <functional>
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

/// Composes the text of a container: what opens it, its parts with commas between, what closes it.
class Enclosed {
 public:
  explicit Enclosed(std::string_view open) : text_(open), opening_(open.size()) {}

  void add(std::string_view part) {
    if (text_.size() > opening_) text_ += ", ";
    text_ += part;
  }
  std::string closed(std::string_view close) && { return std::move(text_.append(close)); }

 private:
  std::string text_;
  std::size_t opening_;
};

/// Prints a sequence as a list: `[a, b]`.
struct ListPrinter {
  static constexpr std::string_view python_type = "list";
  template <class Sequence>
  static std::string repr(const Sequence& values) {
    Enclosed text("[");
    for (const auto& value : values) text.add(pyrepr::repr(value));
    return std::move(text).closed("]");
  }
};

/// Prints the value that an optional holds, or None.
struct OptionalPrinter {
  template <class Optional>
  static std::string repr(const Optional& value) {
    return value ? pyrepr::repr(*value) : "None";
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
struct TuplePrinter {
  static constexpr std::string_view python_type = "tuple";
  template <class Tuple>
  static std::string repr(const Tuple& values) {
    Enclosed text("(");
    std::apply([&](const auto&... value) { (text.add(pyrepr::repr(value)), ...); }, values);
    return std::move(text).closed(std::tuple_size_v<Tuple> == 1 ? ",)" : ")");
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
struct SetPrinter {
  static constexpr std::string_view python_type = "set";
  template <class Values>
  static std::string repr(const Values& values) {
    if (values.empty()) return "set()";
    Enclosed text("{");
    for (const Value& value : values) text.add(pyrepr::repr(value));
    return std::move(text).closed("}");
  }
};

/// Prints a dict: `{key: value}`.
template <class Entry>
struct DictPrinter {
  static constexpr std::string_view python_type = "dict";
  template <class Entries>
  static std::string repr(const Entries& entries) {
    Enclosed text("{");
    for (const Entry& entry : entries) {
      text.add(pyrepr::repr(entry.first) + ": " + pyrepr::repr(entry.second));
    }
    return std::move(text).closed("}");
  }
};

}  // namespace detail

/// The value that it holds, or None.
template <class T>
struct Printer<std::optional<T>> : detail::OptionalPrinter, detail::TakesSpecsOfTypes<T> {};

/// The value that it holds.
template <class... T>
struct Printer<std::variant<T...>> : detail::TakesSpecsOfTypes<T...> {
  static std::string repr(const std::variant<T...>& value) {
    return std::visit([](const auto& held) { return pyrepr::repr(held); }, value);
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

/// A set, in its own order.
template <class T, class... Rest>
struct Printer<std::set<T, Rest...>> : detail::SetPrinter<T> {};

/// A set, in the order of its sorted elements.
template <class T, class... Rest>
struct Printer<std::unordered_set<T, Rest...>> : detail::SetPrinter<T> {
  static std::string repr(const std::unordered_set<T, Rest...>& values) {
    return detail::SetPrinter<T>::repr(detail::sorted_elements(values, std::identity()));
  }
};

/// A dict, in the map's own order.
template <class Key, class Value, class... Rest>
struct Printer<std::map<Key, Value, Rest...>> : detail::DictPrinter<std::pair<const Key, Value>> {};

/// A dict, in the order of its sorted keys.
template <class Key, class Value, class... Rest>
struct Printer<std::unordered_map<Key, Value, Rest...>> : detail::DictPrinter<std::pair<const Key, Value>> {
  static std::string repr(const std::unordered_map<Key, Value, Rest...>& entries) {
    using Entry = std::pair<const Key, Value>;
    return detail::DictPrinter<Entry>::repr(detail::sorted_elements(entries, &Entry::first));
  }
};

/// What it refers to.
template <class T>
struct Printer<std::reference_wrapper<T>> : Printer<std::remove_cv_t<T>> {};

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
