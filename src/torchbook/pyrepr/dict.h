// Python's dict, which keeps its keys in insertion order.
#pragma once

#include <torchbook/pyrepr/containers.h>

#include <cstddef>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace torchbook {

/// A dict. Iteration yields pairs of key and value, in insertion order as in Python.
template <class Key, class Value>
class Dict {
 public:
  using Entry = std::pair<Key, Value>;  ///< a key and its value

  Dict() = default;
  /// Makes a dict of these entries. The last one of a key counts, as in Python.
  Dict(std::initializer_list<Entry> entries) {
    for (const auto& [key, value] : entries) (*this)[key] = value;
  }

  /// Returns Python's `dict(pairs)`.
  template <class Pairs>
  static Dict of(const Pairs& pairs) {
    Dict dict;
    for (const auto& [key, value] : pairs) dict[key] = value;
    return dict;
  }

  /// For `dict[key] = value`: adds the key with a default value if it is missing.
  Value& operator[](const Key& key) {
    const auto [place, is_new] = places_.try_emplace(key, entries_.size());
    if (is_new) entries_.emplace_back(key, Value{});
    return entries_[place->second].second;
  }
  /// Returns Python's `dict[key]`. Throws std::out_of_range if there is no such key.
  const Value& at(const Key& key) const { return entries_[places_.at(key)].second; }
  /// For changing the value. Throws std::out_of_range if there is no such key.
  Value& at(const Key& key) { return entries_[places_.at(key)].second; }
  /// Returns Python's `dict.get(key, otherwise)`.
  Value get(const Key& key, const Value& otherwise) const { return contains(key) ? at(key) : otherwise; }
  /// Returns Python's `key in dict`.
  bool contains(const Key& key) const { return places_.contains(key); }

  /// For Python's `del dict[key]`. Throws std::out_of_range if there is no such key.
  void erase(const Key& key) {
    const auto place = places_.at(key);
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(place));
    places_.erase(key);
    for (auto& [other, at] : places_) at -= at > place ? 1 : 0;
  }
  /// Python's `dict.update(others)`.
  void update(const Dict& others) {
    for (const auto& [key, value] : others) (*this)[key] = value;
  }

  std::size_t size() const { return entries_.size(); }  ///< Returns the number of keys.
  bool empty() const { return entries_.empty(); }       ///< Returns whether there are none.
  auto begin() const { return entries_.begin(); }       ///< Begins an iteration over the entries.
  auto end() const { return entries_.end(); }           ///< Ends it.

  /// Returns Python's `list(dict.keys())`.
  std::vector<Key> keys() const {
    std::vector<Key> result;
    for (const auto& [key, value] : entries_) result.push_back(key);
    return result;
  }
  /// Returns Python's `list(dict.values())`.
  std::vector<Value> values() const {
    std::vector<Value> result;
    for (const auto& [key, value] : entries_) result.push_back(value);
    return result;
  }
  /// Returns Python's `list(dict.items())`.
  std::vector<std::tuple<Key, Value>> items() const { return {entries_.begin(), entries_.end()}; }

 private:
  std::vector<Entry> entries_{};
  std::map<Key, std::size_t> places_{};
};

}  // namespace torchbook

/// A dict.
template <class Key, class Value>
struct torchbook::pyrepr::Printer<torchbook::Dict<Key, Value>>
    : torchbook::pyrepr::detail::DictPrinter<std::pair<Key, Value>> {};
