// Tries work that may end the process.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace torchbook::importing {

/// Does some work, whose results are lost, in a process of its own. The work calls the function that it gets
/// with the number of each step before it begins that. Returns the step at which the process ended by a
/// signal, by an exception, by running out of memory, or after two minutes; 0 if no step had begun; nullopt
/// if the work ended.
std::optional<std::size_t> failing_step(
    const std::function<void(const std::function<void(std::size_t)>&)>& work);

}  // namespace torchbook::importing
