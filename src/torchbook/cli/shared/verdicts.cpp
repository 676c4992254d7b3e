// Derives exit codes and messages from judged runs.
#include <fmt/format.h>
#include <torchbook/cli/shared/verdicts.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/verdict_words.h>

#include <algorithm>

namespace torchbook::cli {

ExitCode exit_code(std::span<const golden::JudgedTranscript> judged, golden::Accept accept) {
  if (std::any_of(judged.begin(), judged.end(), [](const auto& one) { return golden::threw(one); }))
    return exit_threw;
  if (std::any_of(judged.begin(), judged.end(), [](const auto& one) { return one.failure.has_value(); })) {
    return exit_usage;
  }
  const bool pass =
      std::all_of(judged.begin(), judged.end(), [&](const auto& one) { return golden::passes(one, accept); });
  return pass ? exit_equal : exit_different;
}

std::vector<std::string> complaints(std::span<const golden::JudgedTranscript> judged, bool several) {
  std::vector<std::string> lines;
  for (const auto& one : judged) {
    const std::string notebook = several ? one.transcript.slug + ": " : "";
    if (one.failure) lines.push_back(notebook + report::shortened(*one.failure));
    for (const auto& error : report::thrown(one)) lines.push_back(notebook + report::shortened(error));
  }
  return lines;
}

}  // namespace torchbook::cli
