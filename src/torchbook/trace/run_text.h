// Describes the run that a trace is of.
#pragma once

#include <string>

namespace torchbook::trace {

/// Returns the text of a trace's record of its run: the language of the program, and the fingerprint of what
/// computes. `compiler` is empty for a program in C++.
std::string run_text(const std::string& language, const std::string& compiler = "");

}  // namespace torchbook::trace
