// Python's collections.deque.
#pragma once

#include <torchbook/pyrepr/containers.h>
#include <torchbook/pyrepr/printer.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook {

/// A deque. As in Python, copies share one object.
template <class T>
class Deque {
 public:
  /// Returns Python's `deque(values, maxlen)`. Throws std::invalid_argument if `maxlen` is negative.
  explicit Deque(const std::vector<T>& values = {}, std::optional<std::int64_t> maxlen = std::nullopt)
      : maxlen_(maxlen) {
    if (maxlen && *maxlen < 0) throw std::invalid_argument("maxlen must be non-negative");
    for (const auto& value : values) append(value);
  }

  void append(T value) const {
    items_->push_back(std::move(value));
    if (is_too_long()) items_->pop_front();
  }
  void appendleft(T value) const {
    items_->push_front(std::move(value));
    if (is_too_long()) items_->pop_back();
  }
  /// Throws std::out_of_range if it is empty.
  T pop() const {
    auto last = (*this)[-1];
    items_->pop_back();
    return last;
  }
  /// Throws std::out_of_range if it is empty.
  T popleft() const {
    auto first = (*this)[0];
    items_->pop_front();
    return first;
  }

  /// Returns Python's `deque[place]`; a negative place counts from the end. Throws std::out_of_range if there
  /// is no such element.
  T operator[](std::int64_t place) const {
    return items_->at(
        static_cast<std::size_t>(place < 0 ? place + static_cast<std::int64_t>(size()) : place));
  }
  /// Returns Python's `list(deque)`.
  std::vector<T> list() const { return {begin(), end()}; }
  std::optional<std::int64_t> maxlen() const { return maxlen_; }
  std::size_t size() const { return items_->size(); }
  bool empty() const { return items_->empty(); }
  auto begin() const { return items_->cbegin(); }
  auto end() const { return items_->cend(); }

 private:
  bool is_too_long() const { return maxlen_ && static_cast<std::int64_t>(size()) > *maxlen_; }

  std::shared_ptr<std::deque<T>> items_ = std::make_shared<std::deque<T>>();
  std::optional<std::int64_t> maxlen_;
};

}  // namespace torchbook

/// `deque([1, 2], maxlen=3)`
template <class T>
struct torchbook::pyrepr::Printer<torchbook::Deque<T>> : torchbook::pyrepr::detail::ComposedPrinter {
  static constexpr std::string_view python_type = "collections.deque";
  static void compose(const torchbook::Deque<T>& deque, torchbook::pyrepr::detail::Composition& out) {
    out.open("deque(");
    out.next();
    out.value(deque.list());
    if (deque.maxlen()) {
      out.next();
      out.text("maxlen=");
      out.value(*deque.maxlen());
    }
    out.close(")");
  }
};
