// Compares the operators that programs call.
#pragma once

#include <tools/part/trace_file.h>

#include <string>

namespace torchbook::part {

/// Returns which operators of ATen `program` calls that `notebooks` does not, as text or as JSON. `file`
/// names the program's trace.
std::string operators_report(const ReadTrace& program, const ReadTrace& notebooks, const Texts& texts,
                             const std::string& file, bool json);

}  // namespace torchbook::part
