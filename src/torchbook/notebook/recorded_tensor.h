// A tensor that a cell printed or displayed, kept bit for bit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::notebook {

/// What a tensor held when it was printed or displayed.
struct RecordedTensor {
  std::string dtype;                ///< Python's name for it, `torch.float32`
  std::vector<std::int64_t> shape;  ///< its sizes, empty for a 0-d tensor
  std::string bytes;                ///< its elements in row-major order, as they lie in memory

  bool operator==(const RecordedTensor&) const = default;
};

/// Its elements as numbers, in row-major order; nullopt for a dtype that has no real numbers. An int64 above
/// 2^53 is rounded.
std::optional<std::vector<double>> values(const RecordedTensor& tensor);

}  // namespace torchbook::notebook
