// Says which values of two traces count as equal.
#pragma once

#include <tools/part/trace_file.h>

#include <cstddef>
#include <cstdint>

namespace torchbook::trace_diff {

/// An operation of each side.
struct Pair {
  std::uint32_t here = no_operation;
  std::uint32_t there = no_operation;
};

/// How far results may be apart and still count as equal. By default, they have the same bits.
struct Above {
  std::uint64_t ulps = 0;
  double rtol = 0;

  bool any() const { return ulps != 0 || rtol != 0; }
};

/// Compares values of two traces that were read with the same texts. They must outlive it.
class Equality {
 public:
  Equality(const ReadTrace& here, const ReadTrace& there, const Texts& texts, const Above& above)
      : here_(here), there_(there), texts_(texts), above_(above) {}

  /// Returns whether two arguments are equal. 1 and 1.0 are.
  bool same_value(const Value& here, const Value& there) const;
  /// Returns whether two tensors, by their indices, have the same dtype, shape and bits, or are within
  /// `Above`.
  bool same_tensor(std::uint32_t here, std::uint32_t there) const;
  /// Returns whether two operations returned the same.
  bool gave_the_same(Pair pair) const;

  const Above& above() const { return above_; }
  /// Returns how many comparisons within `Above` saw only the first elements of their tensors.
  std::size_t in_part() const { return in_part_; }

 private:
  bool is_close(std::uint32_t here, std::uint32_t there) const;
  bool is_close(double here, double there) const;

  const ReadTrace& here_;
  const ReadTrace& there_;
  const Texts& texts_;
  Above above_;
  mutable std::size_t in_part_ = 0;
};

}  // namespace torchbook::trace_diff
