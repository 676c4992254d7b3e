// Python's collections.Counter.
#pragma once

#include <torchbook/pyrepr/containers.h>
#include <torchbook/pyrepr/dict.h>
#include <torchbook/pyrepr/printer.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace torchbook {

/// The number of occurrences of each value in a list, in the order of the first ones.
template <class Key>
class Counter : public Dict<Key, std::int64_t> {
 public:
  Counter() = default;
  explicit Counter(const std::vector<Key>& values) {
    for (const auto& value : values) ++Dict<Key, std::int64_t>::operator[](value);
  }

  /// For `counter[key] = n`. Reading is `counter.get(key, 0)`, which adds no key.
  using Dict<Key, std::int64_t>::operator[];
  /// Returns Python's `counter.most_common()`: equal counts stay in their order.
  std::vector<std::tuple<Key, std::int64_t>> most_common() const {
    auto entries = this->items();
    std::stable_sort(entries.begin(), entries.end(), [](const auto& one, const auto& other) {
      return std::get<1>(one) > std::get<1>(other);
    });
    return entries;
  }
  /// Returns Python's `counter.most_common(count)`.
  std::vector<std::tuple<Key, std::int64_t>> most_common(std::int64_t count) const {
    auto entries = most_common();
    entries.resize(std::min(entries.size(), static_cast<std::size_t>(std::max<std::int64_t>(count, 0))));
    return entries;
  }
};

}  // namespace torchbook

/// `Counter({'b': 2, 'a': 1})`
template <class Key>
struct torchbook::pyrepr::Printer<torchbook::Counter<Key>> {
  static std::string repr(const torchbook::Counter<Key>& counter) {
    if (counter.empty()) return "Counter()";
    torchbook::Dict<Key, std::int64_t> sorted;
    for (const auto& [key, count] : counter.most_common()) sorted[key] = count;
    return "Counter(" + pyrepr::repr(sorted) + ")";
  }
};
