// Gives each text a number, so that names of two traces are compared as numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace torchbook::trace_diff {

/// Texts, each of them once. Number 0 is the empty text.
class Texts {
 public:
  Texts() { number_of(""); }
  Texts(const Texts&) = delete;
  Texts& operator=(const Texts&) = delete;

  /// Returns the number of a text. Stores the text if it is new.
  std::uint32_t number_of(std::string_view text) {
    if (const auto known = numbers_.find(text); known != numbers_.end()) return known->second;
    const auto number = static_cast<std::uint32_t>(texts_.size());
    numbers_.emplace(texts_.emplace_back(text), number);
    return number;
  }

  std::size_t size() const { return texts_.size(); }

  /// Returns the text of a number that number_of() gave.
  const std::string& operator[](std::uint32_t number) const { return texts_[number]; }

 private:
  std::deque<std::string> texts_;  // a deque, because the keys refer to its texts
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

}  // namespace torchbook::trace_diff
