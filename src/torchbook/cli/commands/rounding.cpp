// Runs this program again to compute the operations of a trace with other kernels.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/commands/rounding.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/tools.h>
#include <torchbook/cli/shared/twins.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/golden/causes.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/notebook/run_trace.h>
#include <torchbook/notebook/temporary_file.h>

#include <limits>

namespace torchbook::cli {
namespace {

/// Records a notebook, with all bytes of its tensors.
void record(const SelectedNotebook& notebook, const std::string& file) {
  notebook::RunTrace trace(
      recorder().library, file,
      {.largest = std::numeric_limits<std::int64_t>::max(), .most = most_bytes_of_a_trace});
  notebook::run(notebook.notebook, notebook.positions, &trace);
  trace.finish();
}

/// Returns which operations of a trace are off by more than rounding, a line each.
std::vector<std::string> beyond(const std::string& trace, const std::vector<std::string>& settings,
                                std::chrono::seconds limit) {
  const auto ended = run_again(
      settings, {"compare", rounding_option, trace}, limit,
      [](std::chrono::seconds passed) { tell_waiting(passed, "each operation to be computed again"); });
  if (ended.timed_out) throw UsageError(fmt::format("it was not done within {} s", limit.count()));
  if (ended.code != exit_equal) throw UsageError("the run that computes again " + how_it_ended(ended));
  return golden::parse_json(ended.answer).get<std::vector<std::string>>();
}

}  // namespace

void judge_rounding(report::Explanation& explanation, const std::vector<SelectedNotebook>& notebooks,
                    const std::vector<golden::JudgedTranscript>& judged, std::chrono::seconds limit) try {
  for (std::size_t i = 0; i < judged.size(); ++i) {
    if (golden::threw(judged[i]) || !golden::values_differ(judged[i], golden::Accept::equal)) continue;
    const notebook::TemporaryFile trace;
    record(notebooks[i], trace.path());
    for (const auto& line : beyond(trace.path(), explanation.makes_all_equal()->settings, limit))
      explanation.beyond_rounding.push_back(fmt::format("{}: {}", judged[i].transcript.slug, line));
  }
} catch (const std::exception& error) {
  explanation.not_judged = error.what();
}

int tell_beyond_rounding(const std::string& trace) {
  const auto lines = notebook::beyond_rounding(recorder().library, read_file(trace, any_size));
  write_report(golden::text_of_json(golden::Json(lines), -1), "");
  return exit_equal;
}

}  // namespace torchbook::cli
