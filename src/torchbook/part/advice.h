// Advice on common differences between C++ and Python.
#pragma once

#include <torchbook/part/trace_file.h>

#include <string>
#include <vector>

namespace torchbook::part {

/// Returns what to do about parameters that differ.
std::string advice_on_inputs();

/// Returns what to do about operands that are evaluated in another order.
std::string advice_on_order();

/// Returns advice on the operations `ours` here and `theirs` there, or an empty text if none is
/// known.
std::string advice_on_operations(const ReadTrace& here, const std::vector<std::uint32_t>& ours,
                                 const ReadTrace& there, const std::vector<std::uint32_t>& theirs,
                                 const Texts& texts);

}  // namespace torchbook::part
