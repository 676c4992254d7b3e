// One of the two traces that are compared: which operation wrote each memory last.
#pragma once

#include <tools/part/names.h>
#include <tools/part/trace_file.h>

#include <optional>
#include <unordered_set>

namespace torchbook::part {

/// Returns the tensors among values, also those in lists, as indices into ReadTrace::tensors.
std::vector<std::uint32_t> tensors_in(const ReadTrace& trace, std::span<const Value> values);

/// Returns the values in order, with each list replaced by its elements.
std::vector<Value> flat(const ReadTrace& trace, std::span<const Value> values);

/// A trace, and for each tensor in it the operation that wrote its memory last.
class Side {
 public:
  Side(const ReadTrace& of, const Roles& roles);

  const ReadTrace& trace;

  /// Returns the operations that `parent` called, or the outermost ones for no_operation, without
  /// those that only move bits. An operation without outputs, such as a node of the backward pass,
  /// is replaced by those that it called.
  std::vector<std::uint32_t> steps(std::uint32_t parent) const;
  /// Returns whether every output of this operation is an output of an operation that it called.
  bool is_composite(std::uint32_t operation) const;

  /// Records that an operation was compared, so that writer() returns it and not one that called it.
  void visit(std::uint32_t operation) { visited_[operation] = true; }

  /// Returns the innermost operation that wrote the memory of a tensor last before it was seen, or
  /// no_operation.
  std::uint32_t innermost_writer(std::uint32_t tensor) const { return origins_[tensor].writer; }
  /// Returns the operation that wrote an input of `reader`, or no_operation: the outermost one that was
  /// visited and did not call `reader`.
  std::uint32_t writer(std::uint32_t tensor, std::uint32_t reader) const;
  /// Returns whether nothing was written to the tensor's memory since it was made.
  bool is_arbitrary(std::uint32_t tensor) const { return origins_[tensor].arbitrary; }
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
  struct Memory {
    std::uint32_t writer = no_operation;
    bool arbitrary = false;
  };

  bool is_view(const SeenTensor& tensor, const std::vector<std::uint32_t>& inputs) const;
  /// Returns what an operation writes and does not return: the running mean and variance of
  /// batch_norm.
  std::vector<SeenTensor> unnamed_results(std::uint32_t operation) const;
  bool only_moves(std::uint32_t operation) const;
  void follow();
  void moved_by(std::uint32_t operation);
  void written_by(std::uint32_t operation);
  Memory at(const SeenTensor& tensor) const;

  const Roles& roles_;
  std::vector<bool> moves_;  // by operation
  std::vector<bool> visited_;
  std::vector<Memory> origins_;                         // by tensor, for inputs
  std::unordered_map<std::uint32_t, Memory> memories_;  // by storage
  std::unordered_set<std::uint64_t> given_;
};

}  // namespace torchbook::part
