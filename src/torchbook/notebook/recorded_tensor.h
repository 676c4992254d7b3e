// Keeps a tensor that a cell printed or displayed, bit for bit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::notebook {

/// The content of a tensor when it was printed or displayed.
struct RecordedTensor {
  std::string dtype;                ///< Python's name of the dtype: `torch.float32`
  std::vector<std::int64_t> shape;  ///< its sizes, empty for a 0-d tensor
  std::string bytes;                ///< its elements in row-major order, as they are in memory

  bool operator==(const RecordedTensor&) const = default;
};

/// Returns the elements as numbers in row-major order, or nullopt for a dtype without real numbers. An int64
/// above 2^53 is rounded.
std::optional<std::vector<double>> elements_of(const RecordedTensor& tensor);

}  // namespace torchbook::notebook
