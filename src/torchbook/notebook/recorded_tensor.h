// Keeps a tensor that a cell printed or displayed, bit for bit.
#pragma once

#include <cstdint>
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

}  // namespace torchbook::notebook
