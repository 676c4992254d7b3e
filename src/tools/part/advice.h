// Advice on common differences between C++ and Python.
#pragma once

#include <tools/part/trace_file.h>

#include <string>
#include <vector>

namespace torchbook::trace_diff {

/// Returns what to do about parameters that differ, or about other tensors that no operation made.
std::string advice_on_inputs(bool are_parameters);

/// Returns what to do about tensors that something other than an operation changed.
std::string advice_on_changes();

/// Returns what to do about layers that are made in another order.
std::string advice_on_making();

/// Returns what to do about operands of other dtypes.
std::string advice_on_dtypes();

/// Returns what to do about a loader that shuffles with another generator.
std::string advice_on_loaders();

/// Returns what to do about random numbers that only one side draws, or that are drawn in another order.
std::string advice_on_draws();

/// Returns what to do about operands that are evaluated in another order.
std::string advice_on_order();

/// Returns advice on the operations `ours` here and `theirs` there, or an empty text if none is
/// known.
std::string advice_on_operations(const ReadTrace& here, const std::vector<std::uint32_t>& ours,
                                 const ReadTrace& there, const std::vector<std::uint32_t>& theirs,
                                 const Texts& texts);

}  // namespace torchbook::trace_diff
