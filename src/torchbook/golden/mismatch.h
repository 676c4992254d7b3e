// Why two values cannot be compared number by number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace torchbook::golden {

/// The two sides, as the halves of a sentence: `shape (2, 3)` here, `(3, 3)` in the golden.
struct Mismatch {
  std::string actual;
  std::string golden;

  bool operator==(const Mismatch&) const = default;
};

/// Returns a shape as Python prints a tuple, with `...` for a dimension below 0, whose length is not known.
std::string shape_text(const std::vector<std::int64_t>& shape);

/// Returns the mismatch of two properties of the same name: `dtype torch.int32` and `torch.int64`.
Mismatch mismatch_of(const std::string& what, const std::string& actual, const std::string& golden);

}  // namespace torchbook::golden
