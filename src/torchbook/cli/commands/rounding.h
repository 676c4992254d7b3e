// Judges whether what settings explain is rounding, with the recorder of the tool `part`.
#pragma once

#include <torchbook/cli/shared/selection.h>
#include <torchbook/golden/judge.h>
#include <torchbook/report/explanation.h>

#include <chrono>
#include <string>
#include <vector>

namespace torchbook::cli {

/// Records the notebooks in which values differ. Then runs this program again with the settings that make all
/// outputs equal. It computes each operation again, and the explanation gets those that are off by more than
/// rounding. Or the explanation gets the reason why that is not known, such as a recorder that is missing.
void judge_rounding(report::Explanation& explanation, const std::vector<SelectedNotebook>& notebooks,
                    const std::vector<golden::JudgedTranscript>& judged, std::chrono::seconds limit);

/// The option with which judge_rounding() runs this program again. Help does not list it.
inline constexpr const char* rounding_option = "--beyond-rounding";

/// Writes to stdout which operations of a trace are off by more than rounding, as a list in JSON.
int tell_beyond_rounding(const std::string& trace);

}  // namespace torchbook::cli
