// The differences between two traces, and what followed from them.
#pragma once

#include <tools/part/trace_file.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace torchbook::trace_diff {

/// Why two programs differ. Differences are sorted in this order.
enum class Kind {
  inputs,      ///< a parameter, buffer or constant differs
  random,      ///< the generators stood elsewhere
  operations,  ///< one of them did something else
  kernel,      ///< the same operation gave other bits of the same input
};

/// An operation of each side.
struct Pair {
  std::uint32_t here = no_operation;
  std::uint32_t there = no_operation;
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
  std::uint32_t at = 0;  ///< its first operation here, or if it has none, the one after which it arises
  std::vector<Pair> followers{};  ///< operations that gave other bits because of it, in order
};

/// Operations side by side. One that has no partner may be alone.
struct Row {
  Pair pair;
  std::uint32_t difference = 0;  ///< what it is or follows from, as a number in TraceComparison::differences
                                 ///< from 1 on; 0 if both gave the same, or if it had no effect
  bool matched = true;           ///< whether both sides did the same operation
};

/// A tensor that both programs showed under the same name, with other bits.
struct ShownPair {
  std::uint32_t mark = 0;  ///< the number of the mark's text, or 0
  TensorPair tensors{};
  std::uint32_t difference = 0;  ///< as in Row; 0 if no operation that differs wrote it
};

/// The comparison of two traces.
struct TraceComparison {
  std::vector<Difference> differences;  ///< by kind; within a kind, in order
  std::vector<Difference>
      without_effect;            ///< operations that only one side has and that changed no bit of the rest
  std::vector<Row> rows;         ///< the outermost operations, in order, without those that only move bits
  std::vector<ShownPair> shown;  ///< in the order in which they were shown here
  std::size_t pairs = 0;         ///< operations that both sides have
  std::size_t differing = 0;     ///< how many of them gave other bits
  /// Operations of one trace after the end of the other, which was cut off. They are in no row.
  std::size_t not_compared = 0;
};

/// Compares two traces that were read with the same `texts`.
TraceComparison compare(const ReadTrace& here, const ReadTrace& there, const Texts& texts);

}  // namespace torchbook::trace_diff
