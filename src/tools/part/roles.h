// Classifies operations by their names.
#pragma once

#include <tools/part/texts.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace torchbook::trace_diff {

/// What an operation does with the bits of tensors.
enum class Role : std::uint8_t {
  computes,
  copies,      ///< gives what it took, perhaps in other memory: `clone`
  makes_room,  ///< gives memory with arbitrary bits: `empty`
  nothing,     ///< a mark of the profiler
  in_place,    ///< changes its first or last operand: `add_`, `mm.out`
  overwrites,  ///< changes its first operand, and does not read it: `fill_`
};

/// Returns the name of an operation without namespace and overload: `add` for `aten::add.Tensor`.
std::string_view plain_name(std::string_view operation);

/// The roles of all operation names in `texts`.
class Roles {
 public:
  explicit Roles(const Texts& texts);

  Role operator[](std::uint32_t name) const { return roles_[name]; }
  /// Returns whether an operation is a batch_norm, which writes its fourth and fifth operand.
  bool keeps_statistics(std::uint32_t name) const { return statistics_[name]; }
  /// Returns whether an operation fills a tensor with a number.
  bool fills(std::uint32_t name) const { return fills_[name]; }

 private:
  std::vector<Role> roles_;
  std::vector<bool> statistics_;
  std::vector<bool> fills_;
};

}  // namespace torchbook::trace_diff
