// Slices, orders and combines lists and strs as Python does.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace torchbook::python {

/// Returns Python's `values[start:stop:step]` of a std::vector or a std::string. A bound that is nullopt is
/// None. Throws std::invalid_argument if `step` is 0.
template <class Sequence>
Sequence slice(const Sequence& values, std::optional<std::int64_t> start,
               std::optional<std::int64_t> stop = std::nullopt, std::int64_t step = 1) {
  if (step == 0) throw std::invalid_argument("slice step cannot be zero");
  const auto size = static_cast<std::int64_t>(values.size());
  const std::int64_t first = step < 0 ? -1 : 0;  // the bounds are clamped to first … first + size
  const auto clamped = [&](std::int64_t bound) {
    return std::clamp(bound < 0 ? bound + size : bound, first, first + size);
  };
  const auto begin = start ? clamped(*start) : step < 0 ? size - 1 : 0;
  const auto end = stop ? clamped(*stop) : step < 0 ? -1 : size;
  Sequence result;
  for (auto at = begin; step < 0 ? at > end : at < end; at += step) {
    result.push_back(values[static_cast<std::size_t>(at)]);
  }
  return result;
}

/// Returns Python's `values[place]`; a negative place counts from the end. Throws std::out_of_range if there
/// is no such element.
template <class Sequence>
decltype(auto) at(Sequence&& values, std::int64_t place) {
  const auto size = static_cast<std::int64_t>(values.size());
  if (place < -size || place >= size) {
    constexpr bool text = std::is_convertible_v<Sequence, std::string_view>;
    throw std::out_of_range(text ? "string index out of range" : "list index out of range");
  }
  return values[static_cast<std::size_t>(place < 0 ? place + size : place)];
}

/// Returns Python's `list(text)`: the characters. The text is ASCII.
inline std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> result;
  for (const char c : text) result.emplace_back(1, c);
  return result;
}

/// Returns Python's `sorted(values, key=key, reverse=reverse)`. Throws std::invalid_argument if a key is nan,
/// which has no place.
template <class T, class Key = std::identity>
std::vector<T> sorted(std::vector<T> values, Key key = {}, bool reverse = false) {
  using std::isnan;
  using Place = std::remove_cvref_t<std::invoke_result_t<Key&, const T&>>;
  if constexpr (!std::is_integral_v<Place> && requires(const Place& place) { isnan(place); }) {
    for (const T& value : values) {
      if (isnan(std::invoke(key, value))) throw std::invalid_argument("nan cannot be sorted");
    }
  }
  std::stable_sort(values.begin(), values.end(), [&](const T& one, const T& other) {
    return reverse ? std::invoke(key, other) < std::invoke(key, one)
                   : std::invoke(key, one) < std::invoke(key, other);
  });
  return values;
}

/// Returns Python's `list(reversed(values))`.
template <class T>
std::vector<T> reversed(const std::vector<T>& values) {
  return {values.rbegin(), values.rend()};
}

/// Returns Python's `min(values, key=key)`: the first of the smallest ones. Throws std::invalid_argument if
/// there is none.
template <class T, class Key = std::identity>
T smallest(const std::vector<T>& values, Key key = {}) {
  if (values.empty()) throw std::invalid_argument("min() arg is an empty sequence");
  return *std::min_element(values.begin(), values.end(), [&](const T& one, const T& other) {
    return std::invoke(key, one) < std::invoke(key, other);
  });
}

/// Returns Python's `max(values, key=key)`: the first of the largest ones. Throws std::invalid_argument if
/// there is none.
template <class T, class Key = std::identity>
T largest(const std::vector<T>& values, Key key = {}) {
  if (values.empty()) throw std::invalid_argument("max() arg is an empty sequence");
  return *std::max_element(values.begin(), values.end(), [&](const T& one, const T& other) {
    return std::invoke(key, one) < std::invoke(key, other);
  });
}

/// Returns Python's `sum(values)` of numbers, added from left to right. Throws
/// std::invalid_argument for an empty list of floats, because Python returns the int 0.
template <class Values>
auto sum(const Values& values) {
  using Item = typename Values::value_type;
  using Total = std::conditional_t<std::is_integral_v<Item>, std::int64_t, Item>;
  if (std::is_floating_point_v<Item> && values.empty())
    throw std::invalid_argument("sum() of an empty list of floats, which is an int in Python");
  Total total = 0;
  for (const auto& value : values) total += static_cast<Total>(value);
  return total;
}

/// Returns Python's `any(values)`.
inline bool any(const std::vector<bool>& values) {
  return std::find(values.begin(), values.end(), true) != values.end();
}

/// Returns Python's `all(values)`.
inline bool all(const std::vector<bool>& values) {
  return std::find(values.begin(), values.end(), false) == values.end();
}

/// Returns Python's `value in values`.
template <class T>
bool contains(const std::vector<T>& values, const std::type_identity_t<T>& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

/// Returns Python's `list(range(start, stop, step))`. Throws std::invalid_argument if `step` is 0.
inline std::vector<std::int64_t> range(std::int64_t start, std::int64_t stop, std::int64_t step = 1) {
  if (step == 0) throw std::invalid_argument("range() arg 3 must not be zero");
  std::vector<std::int64_t> result;
  for (auto at = start; step < 0 ? at > stop : at < stop; at += step) result.push_back(at);
  return result;
}

/// Returns Python's `list(enumerate(values, start))`.
template <class T>
std::vector<std::tuple<std::int64_t, T>> enumerate(const std::vector<T>& values, std::int64_t start = 0) {
  std::vector<std::tuple<std::int64_t, T>> result;
  for (const auto& value : values) result.emplace_back(start++, value);
  return result;
}

/// Returns Python's `list(zip(values, others...))`.
template <class T, class... Others>
std::vector<std::tuple<T, Others...>> zip(const std::vector<T>& values,
                                          const std::vector<Others>&... others) {
  std::size_t size = values.size();
  ((size = std::min(size, others.size())), ...);
  std::vector<std::tuple<T, Others...>> result;
  for (std::size_t i = 0; i < size; ++i) result.emplace_back(values[i], others[i]...);
  return result;
}

/// Returns Python's `one + other` of lists.
template <class T>
std::vector<T> joined(std::vector<T> one, const std::vector<T>& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

/// Returns Python's `values * count` of a list or a str.
template <class Sequence>
Sequence repeated(const Sequence& values, std::int64_t count) {
  Sequence result;
  for (std::int64_t i = 0; i < count; ++i) result.insert(result.end(), values.begin(), values.end());
  return result;
}

/// Removes the first element that equals `value`: Python's `values.remove(value)`, also of a set. Throws
/// std::invalid_argument if there is none.
template <class Values>
void remove(Values& values, const typename Values::value_type& value) {
  const auto found = std::find(values.begin(), values.end(), value);
  if (found == values.end()) throw std::invalid_argument("list.remove(x): x not in list");
  values.erase(found);
}

/// Removes a key from a Dict, and returns its value: Python's `dict.pop(key)`. Throws std::out_of_range if
/// there is no such key.
template <class Dict, class Key>
requires requires(Dict& dict, const Key& key) { dict.contains(key); }
auto pop(Dict& dict, const Key& key) {
  auto value = dict.at(key);
  dict.erase(key);
  return value;
}

/// Python's `dict.pop(key, otherwise)` and `dict.setdefault(key, otherwise)` of a Dict.
template <class Dict, class Key, class Value>
auto pop(Dict& dict, const Key& key, const Value& otherwise) {
  return dict.contains(key) ? pop(dict, key) : decltype(pop(dict, key))(otherwise);
}
template <class Dict, class Key, class Value>
auto& setdefault(Dict& dict, const Key& key, const Value& otherwise) {
  if (!dict.contains(key)) dict[key] = otherwise;
  return dict.at(key);
}

/// Removes and returns an element: Python's `values.pop(at)`. Throws std::out_of_range if there is none.
template <class T>
T pop(std::vector<T>& values, std::int64_t at = -1) {
  const auto place = at < 0 ? at + static_cast<std::int64_t>(values.size()) : at;
  if (values.empty()) throw std::out_of_range("pop from empty list");
  if (place < 0 || place >= static_cast<std::int64_t>(values.size()))
    throw std::out_of_range("pop index out of range");
  T value = values[static_cast<std::size_t>(place)];
  values.erase(values.begin() + place);
  return value;
}

}  // namespace torchbook::python
