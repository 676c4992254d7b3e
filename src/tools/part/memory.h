// Follows the memory of tensors through a trace: what operations do with it, and which of them wrote it last.
#pragma once

#include <tools/part/roles.h>
#include <tools/part/trace_file.h>

#include <unordered_map>
#include <vector>

namespace torchbook::trace_diff {

/// Returns the tensors among values, also those in lists, as indices into ReadTrace::tensors.
std::vector<std::uint32_t> tensors_in(const ReadTrace& trace, std::span<const Value> values);

/// Returns the values in order, with each list replaced by its elements.
std::vector<Value> flat(const ReadTrace& trace, std::span<const Value> values);

/// Returns the operations that `parent` called, or the outermost ones for no_operation. An operation without
/// outputs, such as a node of the backward pass, is replaced by those that it called.
std::vector<std::uint32_t> called_by(const ReadTrace& trace, std::uint32_t parent);

/// How an operation gave one of its outputs.
struct Given {
  enum class As {
    result,  ///< in memory of its own
    change,  ///< in the memory of an input that it wrote
    view,    ///< of an input
    copy,    ///< of an input
    room,    ///< memory with arbitrary bits
  };

  As as = As::result;
  std::size_t input = no_input;  ///< the index of that input among the tensors that the operation takes

  static constexpr std::size_t no_input = ~std::size_t{0};
};

/// Says how an operation with this role gave the tensor `output`, if it took the tensors `inputs`.
Given how_given(const ReadTrace& trace, Role role, const std::vector<std::uint32_t>& inputs,
                std::uint32_t output);

/// Knows which operation wrote each memory last, at each moment of a trace.
class Writers {
 public:
  /// The last change of a memory.
  struct Last {
    std::uint32_t writer = no_operation;  ///< the innermost operation
    bool arbitrary = false;               ///< nothing was written since the memory was made
    /// The operation that filled in the first number of torch::tensor({1.0, 2.0}), for which Python runs no
    /// operation. It is no writer.
    std::uint32_t filled = no_operation;
  };

  /// The trace and the roles must outlive this object.
  Writers(const ReadTrace& trace, const Roles& roles);

  /// Returns the last change of the memory of a tensor before an operation took it or the program showed it.
  /// A copy counts as changed by what wrote its source.
  const Last& before(std::uint32_t tensor) const { return before_[tensor]; }

  /// Returns whether an operation computes nothing: it is a mark of the profiler, its outputs are views or
  /// copies of its inputs, or uninitialized memory, or it fills in a number of a literal.
  bool only_moves(std::uint32_t operation) const { return moves_[operation]; }

 private:
  bool moves(std::uint32_t operation) const;
  bool fills_number(std::uint32_t operation) const;
  std::vector<SeenTensor> unnamed_results(std::uint32_t operation) const;
  void follow();
  void moved_by(std::uint32_t operation);
  void written_by(std::uint32_t operation);
  Last now(const SeenTensor& tensor) const;

  const ReadTrace& trace_;
  const Roles& roles_;
  std::vector<bool> moves_;                           // by operation
  std::vector<Last> before_;                          // by tensor
  std::unordered_map<std::uint32_t, Last> memories_;  // by storage
};

}  // namespace torchbook::trace_diff
