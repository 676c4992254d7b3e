// Explains why a comparison found other bits, and tries whether settings make them the same.
#pragma once

#include <torchbook/cli/options.h>
#include <torchbook/golden/verdict.h>
#include <torchbook/report/explanation.h>
#include <torchbook/trace/fingerprint.h>

#include <optional>
#include <vector>

namespace torchbook::cli {

/// Explains a comparison in which values differ. Returns nullopt if none differ. If variables of the
/// environment could make this side like PyTorch's, runs the comparison once more with them, unless the
/// options forbid it. The result of that run changes no verdict.
std::optional<report::Explanation> explained(const std::vector<golden::JudgedTranscript>& judged,
                                             const trace::Fingerprint& computed, const Options& options);

}  // namespace torchbook::cli
