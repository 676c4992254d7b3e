// Describes the run that a trace records.
#pragma once

#include <string>

namespace torchbook::trace {

/// Returns the text of a trace's run record: the program's language and the fingerprint. `compiler`
/// is empty for a C++ program.
std::string run_text(const std::string& language, const std::string& compiler = "");

}  // namespace torchbook::trace
