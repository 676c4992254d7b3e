// Why a comparison found other bits; asks the program itself whether settings mend it.
#pragma once

#include <torchbook/cli/options.h>
#include <torchbook/golden/verdict.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/report/explanation.h>

#include <optional>
#include <vector>

namespace torchbook::cli {

/// Explains a comparison in which values differ; nullopt if none do. If variables of the environment would
/// make this side like PyTorch's, runs the comparison once more with them, unless the options forbid it. What
/// becomes of that changes no verdict.
std::optional<report::Explanation> explained(const std::vector<golden::JudgedTranscript>& judged,
                                             const notebook::Fingerprint& computed, const Options& options);

}  // namespace torchbook::cli
