// Runs this program again with the settings, and counts its verdicts.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/again.h>
#include <torchbook/cli/causes.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/option_words.h>
#include <torchbook/notebook/kernels.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace torchbook::cli {
namespace {

/// Returns the arguments of the same comparison. With `--once` it does not start a third run. It keeps no
/// recordings.
std::vector<std::string> same_comparison(const Options& options) {
  const CompareOptions& how = options.compare;
  std::vector<std::string> arguments = {"compare", "--once", "--format", "json"};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) arguments.insert(arguments.end(), {option, value});
  };
  add("--twins", how.twins);
  add("--reference", reference_word(how));
  if (reference_word(how).empty()) add("--timeout", std::to_string(how.timeout));
  add("--python", how.python.value_or(""));
  if (!how.keep_going) arguments.emplace_back("--no-keep-going");
  for (const auto& cell : options.cells) add("--cell", cell);
  arguments.insert(arguments.end(), options.slugs.begin(), options.slugs.end());
  return arguments;
}

report::Trial counted(const nlohmann::json& report) {
  report::Trial trial;
  for (const auto& notebook : report.at("notebooks")) {
    for (const auto& cell : notebook.at("cells")) {
      const std::string verdict = cell.at("verdict");
      constexpr std::string_view compared[] = {"equal", "equal-as-printed", "different"};
      if (std::find(std::begin(compared), std::end(compared), verdict) == std::end(compared)) continue;
      ++trial.outputs;
      if (verdict == "equal") ++trial.equal;
    }
  }
  return trial;
}

report::Trial trial_with(const std::vector<std::string>& settings, const Options& options) try {
  const std::chrono::seconds limit(options.compare.timeout);
  const auto ended = run_again(settings, same_comparison(options), limit, [&](std::chrono::seconds passed) {
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
                                             const trace::Fingerprint& computed, const Options& options) {
  if (options.action != Action::compare) return std::nullopt;
  const auto differs = std::find_if(judged.begin(), judged.end(), [&](const auto& one) {
    // What differs behind a cell that threw may be its consequence.
    return one.compared_with && !golden::threw(one) && golden::values_differ(one, options.accept);
  });
  if (differs == judged.end()) return std::nullopt;
  report::Explanation explanation{
      .causes = golden::causes(computed, *differs->compared_with, notebook::best_capability())};
  const auto settings = report::settings(explanation.causes);
  if (!settings.empty() && !options.compare.once) explanation.trial = trial_with(settings, options);
  return explanation;
}

}  // namespace torchbook::cli
