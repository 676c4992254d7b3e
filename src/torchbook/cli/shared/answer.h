// Parses the answer of run_twins.py.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace torchbook::cli {

/// Returns the recordings of an answer by slug, as texts that parse_recording() reads. The answer has a line
/// for each twin. An incomplete last line is ignored, because the Python was stopped while it wrote it.
/// Throws UsageError, which names `python`, if it has no PyTorch or answered something else. If the Python
/// cannot record traces, `untraced` gets the reason.
std::map<std::string, std::string> recordings_in(std::string_view answer, const std::string& python,
                                                 std::string* untraced = nullptr);

}  // namespace torchbook::cli
