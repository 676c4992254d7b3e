// Finds where NaN and infinity begin in one trace.
#pragma once

#include <tools/part/trace_file.h>

#include <string>

namespace torchbook::trace_diff {

/// An operation that returned NaN or infinity out of finite inputs.
struct Nonfinite {
  std::uint32_t operation = no_operation;  ///< no_operation if there is none
  std::uint32_t tensor = 0;                ///< its first output with such an element …
  std::size_t element = 0;                 ///< … in row-major order …
  std::string value{};                     ///< … and that element: `nan`, `-inf`
};

/// Returns the first outermost operation that did. Only elements that the trace holds are known. An infinite
/// number among the arguments, as of masked_fill, is an infinite input.
Nonfinite first_nonfinite(const ReadTrace& trace, const Texts& texts);

/// Returns the answer to `torchbook part TRACE` as text or as JSON. `file` names the trace.
std::string nonfinite_report(const ReadTrace& trace, const Texts& texts, const std::string& file, bool json);

}  // namespace torchbook::trace_diff
