// Explains why bits differ in a comparison, and tests whether settings make them equal.
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

/// If environment variables could make this side compute like PyTorch, runs this program again with
/// them and `arguments`. Adds to the explanation how many outputs are then equal. No verdict
/// changes.
void try_settings(report::Explanation& explanation, const std::vector<std::string>& arguments, int seconds);

}  // namespace torchbook::cli
