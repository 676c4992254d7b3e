// One of the two traces while they are compared: which operation wrote each memory last.
#pragma once

#include <torchbook/part/names.h>
#include <torchbook/part/trace_file.h>

#include <optional>
#include <unordered_set>

namespace torchbook::part {

/// Returns the tensors among values, also those in lists, as indices into ReadTrace::tensors.
std::vector<std::uint32_t> tensors_in(const ReadTrace& trace, std::span<const Value> values);

/// Returns the values in order, with each list replaced by its elements.
std::vector<Value> flat(const ReadTrace& trace, std::span<const Value> values);

/// A trace and what is known of it so far, while its operations are visited in order.
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

  /// Visits the operations before `operation` that only move bits.
  void advance(std::uint32_t operation);
  /// Records that an operation, or those that it called, wrote their outputs.
  void written_by(std::uint32_t operation);

  /// Returns the operation that wrote the tensor's memory last, or no_operation.
  std::uint32_t writer(const SeenTensor& tensor) const { return at(tensor).writer; }
  /// Returns whether nothing was written to the tensor's memory since it was made.
  bool is_arbitrary(const SeenTensor& tensor) const { return at(tensor).arbitrary; }
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
  void moved_by(std::uint32_t operation);
  const Memory& at(const SeenTensor& tensor) const;
  Memory& memory(const SeenTensor& tensor);

  const Roles& roles_;
  std::vector<bool> moves_;                             // by operation
  std::unordered_map<std::uint32_t, Memory> memories_;  // by storage
  std::unordered_set<std::uint64_t> given_;
  std::uint32_t position_ = 0;
};

}  // namespace torchbook::part
