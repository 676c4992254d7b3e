// One of the two traces that are compared.
#pragma once

#include <tools/part/memory.h>

#include <unordered_set>

namespace torchbook::trace_diff {

/// A trace, the writers of its memories, and which of its operations were compared.
class Side {
 public:
  Side(const ReadTrace& of, const Roles& roles);

  const ReadTrace& trace;

  /// Returns the operations that `parent` called, as called_by() does, without those that only move bits.
  std::vector<std::uint32_t> steps(std::uint32_t parent) const;
  /// Returns whether every output of this operation is an output of an operation that it called.
  bool is_composite(std::uint32_t operation) const;

  /// Records that an operation was compared, so that writer() returns it and not one that called it.
  void visit(std::uint32_t operation) { visited_[operation] = true; }

  /// Returns the innermost operation that wrote the memory of a tensor last before it was seen, or
  /// no_operation.
  std::uint32_t innermost_writer(std::uint32_t tensor) const { return writers_.before(tensor).writer; }
  /// Returns the operation that wrote an input of `reader`, or no_operation: the outermost one that was
  /// visited and did not call `reader`.
  std::uint32_t writer(std::uint32_t tensor, std::uint32_t reader) const;
  /// Returns whether nothing was written to the tensor's memory since it was made.
  bool is_arbitrary(std::uint32_t tensor) const { return writers_.before(tensor).arbitrary; }
  /// Returns whether an operation gave a tensor with these bits.
  bool gave(std::uint64_t hash) const { return given_.contains(hash); }
  /// Returns the views and copies that lead from the output of `writer` to the tensor that `reader`
  /// takes.
  std::vector<std::uint32_t> movers(const SeenTensor& tensor, std::uint32_t writer,
                                    std::uint32_t reader) const;
  /// Returns whether an operation ignores what its first input held.
  bool overwrites(std::uint32_t operation) const {
    return roles_[trace.operations[operation].name] == Role::overwrites;
  }

 private:
  const Roles& roles_;
  Writers writers_;
  std::vector<bool> visited_;  // by operation
  std::unordered_set<std::uint64_t> given_;
};

}  // namespace torchbook::trace_diff
