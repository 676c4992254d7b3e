// Compares the bits of two tensors, as far as the traces hold them.
#pragma once

#include <tools/part/trace_file.h>
#include <torchbook/golden/tensor_difference.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::trace_diff {

/// The elements of a tensor that a trace holds. They refer to the bytes that the trace was read from.
struct Elements {
  std::string dtype;                ///< `torch.float32`
  std::vector<std::int64_t> shape;  ///< of one dimension if these are only the first elements of a larger one
  std::string_view bytes;
  bool whole = true;

  /// Returns a copy of the elements.
  notebook::RecordedTensor tensor() const {
    return {.dtype = dtype, .shape = shape, .bytes = std::string(bytes)};
  }
};

/// Returns the elements of a tensor, or nullopt if the trace has none of them.
std::optional<Elements> elements_of(const ReadTrace& trace, const Texts& texts, const SeenTensor& tensor);

/// How two tensors of one dtype and shape differ.
struct BitsDifference {
  golden::TensorDifference difference;
  std::size_t compared = 0;  ///< the first elements that both traces hold
  bool whole = true;         ///< whether these are all
};

/// Compares the elements that both traces hold. Returns nullopt if there are none, or if those that they hold
/// are equal.
std::optional<BitsDifference> bits_difference(const Elements& here, const Elements& there);

}  // namespace torchbook::trace_diff
