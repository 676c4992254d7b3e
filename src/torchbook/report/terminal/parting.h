// Tells people where two traces part.
#pragma once

#include <torchbook/report/parting.h>

#include <string>

namespace torchbook::report {

/// Returns the report: the first difference of each kind with its operations, tensors and what followed from
/// it, and a line for each other difference.
std::string parting_text(const Parting& parting, bool colour);

}  // namespace torchbook::report
