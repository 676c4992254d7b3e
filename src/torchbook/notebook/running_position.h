// The position of the running cell, in a file of its own because programs without LibTorch read it, too.
#pragma once

#include <atomic>
#include <cstddef>

namespace torchbook::notebook {

/// The position of the cell that is running in this program, or 0 if none is. A signal handler may read it.
inline std::atomic<std::size_t> running_position = 0;

/// The slug of its notebook, while the position is not 0.
inline std::atomic<const char*> running_slug = nullptr;

}  // namespace torchbook::notebook
