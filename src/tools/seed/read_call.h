// Lets Python read the call that drew a tensor.
#pragma once

#include <tools/seed/tensor_call.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::seeds {

/// Reads a call, such as `torch.rand(4, 8, dtype=torch.float64)`, `randint(0, 10, (3, 4))`,
/// `empty(3, 4).bernoulli_(0.3)` or `F.dropout(torch.ones(3, 4), 0.5)`. Throws SeedError if it cannot be
/// searched for, and UsageError if `python` reads nothing.
TensorCall read_call(const std::string& text, const std::string& python);

/// A call in the cells of a notebook.
struct CallInCell {
  std::size_t cell = 0;  ///< its index
  bool first = false;    ///< whether nothing in its cell draws before it
  std::string why{};     ///< why it cannot be searched for; empty if it can
  TensorCall call{};
};

/// Returns the call that drew the tensor which the cell `shown` shows: that of the first drawn name in the
/// cell's last statement, or else the last call up to the cell. Returns nullopt if none of these cells draws.
/// Throws UsageError if `python` reads nothing.
std::optional<CallInCell> shown_call(const std::vector<std::string>& cells, std::size_t shown,
                                     const std::string& python);

}  // namespace torchbook::seeds
