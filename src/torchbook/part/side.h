// One of the two traces while they are compared: which operation wrote each memory last.
#pragma once

#include <torchbook/part/names.h>
#include <torchbook/part/trace_file.h>

#include <optional>
#include <unordered_set>

namespace torchbook::part {

/// The tensors among values, also those in lists, as indices into Trace::tensors.
std::vector<std::uint32_t> tensors_in(const ReadTrace& trace, std::span<const Value> values);

/// The values that are no lists, in order: each list is replaced by what it holds.
std::vector<Value> flat(const ReadTrace& trace, std::span<const Value> values);

/// A trace and what is known of it so far, while its operations are visited in order.
class Side {
 public:
  Side(const ReadTrace& of, const Roles& roles);

  const ReadTrace& trace;

  /// Returns the operations that `parent` called, or the outermost ones for no_operation, without those that
  /// only move bits. One that gives nothing, such as a node of the backward pass, represents those that it
  /// called.
  std::vector<std::uint32_t> steps(std::uint32_t parent) const;
  /// Returns whether the operations that this one called gave all that it gives.
  bool is_composite(std::uint32_t operation) const;

  /// Visits the operations before `operation` that only move bits.
  void advance(std::uint32_t operation);
  /// Notes that an operation, or those that it called, have written what they gave.
  void written_by(std::uint32_t operation);

  /// Returns the operation that wrote the tensor's memory last, or no_operation.
  std::uint32_t writer(const SeenTensor& tensor) const { return at(tensor).writer; }
  /// Returns whether nothing was written to the tensor's memory since it was made.
  bool is_arbitrary(const SeenTensor& tensor) const { return at(tensor).arbitrary; }
  /// Returns whether an operation gave a tensor with these bits.
  bool gave(std::uint64_t hash) const { return given_.contains(hash); }
  /// Returns the operations that made of what `writer` gave the tensor that `reader` takes: views and copies.
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
  /// Returns what an operation writes and does not give: the running mean and variance of batch_norm.
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
