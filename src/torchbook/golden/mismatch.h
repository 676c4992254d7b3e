// Says why two values cannot be compared number by number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace torchbook::golden {

/// What each side has, as the two halves of a sentence: `shape (2, 3)` here, `(3, 3)` in the golden.
struct Mismatch {
  std::string actual;
  std::string golden;

  bool operator==(const Mismatch&) const = default;
};

/// Returns a shape as Python prints a tuple. A dimension below 0 has an unknown length and is shown as `...`.
std::string shape_text(const std::vector<std::int64_t>& shape);

/// Returns the mismatch of one property, `what`: `dtype torch.int32` here, `torch.int64` in the golden.
Mismatch mismatch_of(const std::string& what, const std::string& actual, const std::string& golden);

}  // namespace torchbook::golden
