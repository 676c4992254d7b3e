// Explains why a comparison found other bits, and tries whether settings make them the same.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/report/explanation.h>
#include <torchbook/trace/fingerprint.h>

#include <optional>
#include <string>
#include <vector>

namespace torchbook::cli {

/// Explains a comparison in which values differ. Returns nullopt if none differ.
std::optional<report::Explanation> explained(const std::vector<golden::JudgedTranscript>& judged,
                                             const trace::Fingerprint& computed, golden::Accept accept);

/// Runs this program once more, with `arguments`, if variables of the environment could make this side like
/// PyTorch's, and adds to the explanation how many outputs are equal then. That changes no verdict.
void try_settings(report::Explanation& explanation, const std::vector<std::string>& arguments, int seconds);

}  // namespace torchbook::cli
