// Compares the bits of two tensors, as far as the traces hold them.
#pragma once

#include <torchbook/golden/tensor_difference.h>
#include <torchbook/part/trace_file.h>

#include <optional>
#include <string>

namespace torchbook::part {

/// The elements of a tensor that a trace holds.
struct Elements {
  notebook::RecordedTensor tensor;  ///< 1-dimensional if it is only the first elements of a larger one
  bool whole = true;
};

/// Returns the elements of a tensor, or nullopt if the trace has none of them.
std::optional<Elements> elements_of(const Trace& trace, const Texts& texts, const SeenTensor& tensor);

/// How two tensors of one dtype and shape differ.
struct BitsDifference {
  golden::TensorDifference difference;
  std::size_t compared = 0;  ///< the first elements that both traces hold
  bool whole = true;         ///< whether these are all
};

/// Compares the elements that both traces hold. Returns nullopt if there are none, or if those that they hold
/// are equal.
std::optional<BitsDifference> bits_difference(const Elements& here, const Elements& there);

}  // namespace torchbook::part
