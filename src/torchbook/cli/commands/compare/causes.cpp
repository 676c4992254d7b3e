// Repeats the comparison with other settings, and counts the verdicts.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/commands/compare/causes.h>
#include <torchbook/cli/system/child.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/golden/judgement.h>
#include <torchbook/notebook/kernels.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace torchbook::cli {
namespace {

report::Trial counted(const nlohmann::json& report) {
  report::Trial trial;
  for (const auto& notebook : report.at("notebooks")) {
    for (const auto& cell : notebook.at("cells")) {
      using golden::Verdict;
      const std::string verdict = cell.at("verdict");
      const auto is = [&](Verdict one) { return verdict == golden::verdict_name(one); };
      if (!is(Verdict::equal) && !is(Verdict::equal_as_printed) && !is(Verdict::different)) continue;
      ++trial.outputs;
      if (is(Verdict::equal)) ++trial.equal;
    }
  }
  return trial;
}

report::Trial trial_with(const std::vector<std::string>& settings, const std::vector<std::string>& arguments,
                         std::chrono::seconds limit) try {
  const auto ended = run_again(settings, arguments, limit, [&](std::chrono::seconds passed) {
    tell_waiting(passed, fmt::format("the same comparison with {}", fmt::join(settings, " ")));
  });
  if (ended.timed_out) {
    return {.failure = fmt::format("not done within {} s (--timeout sets another limit)", limit.count())};
  }
  const auto report = nlohmann::json::parse(ended.answer, nullptr, /*allow_exceptions=*/false);
  if (!report.is_object() || !report.contains("notebooks")) return {.failure = "it " + how_it_ended(ended)};
  return counted(report);
} catch (const UsageError& error) {  // the program could not be started
  return {.failure = error.what()};
}

}  // namespace

std::optional<report::Explanation> explained(const std::vector<golden::JudgedTranscript>& judged,
                                             const trace::Fingerprint& computed, golden::Accept accept) {
  const auto differs = std::find_if(judged.begin(), judged.end(), [&](const auto& one) {
    // A difference after a cell that threw may be a consequence of the exception.
    return one.compared_with && !golden::threw(one) && golden::values_differ(one, accept);
  });
  if (differs == judged.end()) return std::nullopt;
  return report::Explanation{
      .causes = golden::causes(computed, *differs->compared_with, notebook::best_capability())};
}

void try_settings(report::Explanation& explanation, const std::vector<std::string>& arguments, int seconds) {
  const auto settings = report::settings(explanation.causes);
  if (!settings.empty()) explanation.trial = trial_with(settings, arguments, std::chrono::seconds(seconds));
}

}  // namespace torchbook::cli
