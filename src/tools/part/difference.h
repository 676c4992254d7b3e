// The differences between two traces, and what followed from them.
#pragma once

#include <tools/part/equality.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace torchbook::trace_diff {

/// Why two programs differ. Differences are sorted in this order.
enum class Kind {
  kernel,      ///< the same operation returned other bits from the same bits
  argument,    ///< an operation took another argument or operand
  random,      ///< other random numbers were drawn
  operations,  ///< one of them did something else
};

/// A tensor of each side, by its index in ReadTrace::tensors. The index is no_operation if the
/// operation lacks the tensor.
struct TensorPair {
  std::string what;  ///< `input 1`, `output`
  std::uint32_t here = no_operation;
  std::uint32_t there = no_operation;
};

/// A difference that does not follow from another one.
struct Difference {
  Kind kind = Kind::kernel;
  std::string what{};                 ///< one line
  std::string advice{};               ///< what to write instead, if that is known; otherwise empty
  std::vector<std::uint32_t> here{};  ///< the operations, in order; none for a parameter
  std::vector<std::uint32_t> there{};
  std::vector<TensorPair> tensors{};  ///< the inputs and outputs that show it
  std::uint32_t mark = 0;             ///< the number of the mark's text after which it arises, or 0
  std::uint32_t at = 0;  ///< its first operation here, or if it has none, the one after which it arises
  std::size_t count =
      1;  ///< how many operations after this mark differ in the same words; the first is above
  std::vector<Pair> followers{};  ///< operations that returned other bits because of it, in order
};

/// A tensor that both programs showed under the same name, with other bits.
struct ShownPair {
  std::uint32_t mark = 0;        ///< the number of the mark's text, or 0
  std::uint32_t difference = 0;  ///< the difference it follows from, by its number from 1 on
};

/// The comparison of two traces.
struct TraceComparison {
  std::vector<Difference> differences;  ///< by kind; within a kind, in order
  /// Operations that only one side has and that reach nothing that both have or show.
  std::vector<Difference> without_effect;
  std::vector<std::uint32_t>
      here;  ///< by operation: the number of the difference it is or follows from, or 0
  std::vector<std::uint32_t> there;  ///< likewise
  std::vector<ShownPair> shown;      ///< in the order in which they were shown here
  std::size_t pairs = 0;             ///< operations that both sides have
  std::size_t differing = 0;         ///< how many of them returned other bits
  /// Operations of one trace after the end of the other, which was cut off.
  std::size_t not_compared = 0;
  bool is_within_above = false;  ///< whether results within `Above` count as the same
  std::size_t in_part =
      0;  ///< comparisons within `Above` of tensors of which a trace holds only the beginning
};

/// Compares two traces that were read with the same `texts`.
TraceComparison compare(const ReadTrace& here, const ReadTrace& there, const Texts& texts,
                        const Above& above = {});

}  // namespace torchbook::trace_diff
