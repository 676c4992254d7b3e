// One of the two traces that are compared.
#pragma once

#include <tools/part/memory.h>

#include <unordered_map>
#include <unordered_set>

namespace torchbook::trace_diff {

/// What the comparison knows about an operation.
struct Known {
  std::uint32_t partner = no_operation;
  std::uint32_t cause = 0;   ///< the number of the difference that it is or follows from, or 0
  std::uint32_t region = 0;  ///< the number of the region that it belongs to, or 0

  bool is_compared() const { return partner != no_operation || region != 0; }
};

/// A trace, the writers of its memories, and what is known about its operations.
class Side {
 public:
  Side(const ReadTrace& of, const Roles& roles);

  const ReadTrace& trace;
  std::vector<Known> known;  ///< by operation

  /// Returns the operations that `parent` called, as called_by() does, without those that only move bits.
  std::vector<std::uint32_t> steps(std::uint32_t parent) const;
  /// Returns whether every output of this operation is an output of an operation that it called.
  bool is_composite(std::uint32_t operation) const;
  /// Returns the outermost compared operation among `operation` and those that called it, without those that
  /// called `reader`. Returns `operation` if none was compared.
  std::uint32_t compared(std::uint32_t operation, std::uint32_t reader) const;

  /// Returns the innermost operation that wrote the memory of a tensor last before it was seen, or
  /// no_operation.
  std::uint32_t innermost_writer(std::uint32_t tensor) const { return writers_.before(tensor).writer; }
  /// Returns the operation that wrote an input of `reader`, or no_operation.
  std::uint32_t writer(std::uint32_t tensor, std::uint32_t reader) const {
    return compared(innermost_writer(tensor), reader);
  }
  /// Returns whether nothing was written to the tensor's memory since it was made.
  bool is_arbitrary(std::uint32_t tensor) const { return writers_.before(tensor).arbitrary; }
  /// Returns the operation that wrote the first number of a literal, `torch::tensor({1.0, 2.0})`, or
  /// no_operation if the tensor is none.
  std::uint32_t literal(std::uint32_t tensor) const { return writers_.before(tensor).filled; }
  /// Returns whether an operation returned a tensor with these bits.
  bool gave(std::uint64_t hash) const { return given_.contains(hash); }
  /// Returns whether an operation, or one that it called, drew random numbers.
  bool draws(std::uint32_t operation) const;
  /// Returns whether a later operation took memory that this operation returned.
  bool is_taken(std::uint32_t operation) const;
  /// Returns the views and copies that lead from the output of `writer` to the tensor that `reader`
  /// takes.
  std::vector<std::uint32_t> movers(const SeenTensor& tensor, std::uint32_t writer,
                                    std::uint32_t reader) const;
  /// Returns whether something that is no operation, such as NumPy, changed a tensor. `writer` is the
  /// operation that wrote its memory last; if there is none, the bits are compared with those that were seen
  /// before.
  bool changed_outside(std::uint32_t tensor, std::uint32_t writer) const;
  /// Returns whether an operation ignores what its first input held.
  bool overwrites(std::uint32_t operation) const {
    return roles_[trace.operations[operation].name] == Role::overwrites;
  }

 private:
  const Roles& roles_;
  Writers writers_;
  std::unordered_set<std::uint64_t> given_;
  std::unordered_map<std::uint32_t, std::uint32_t> last_taken_;  // an operation, by storage
};

}  // namespace torchbook::trace_diff
