// Runs one twin and checks its recording.
#include <fmt/format.h>
#include <torchbook/cli/shared/python.h>
#include <torchbook/cli/shared/run_twin.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/golden/recording.h>

namespace torchbook::cli {

golden::Recording run_twin(const std::string& slug, const Twin& twin, const PythonOptions& python) {
  RunningTwins running(python.python(), {{slug, twin}}, /*keep_going=*/true, python.timeout);
  const auto answers = running.wait();
  const auto found = answers.recordings.find(slug);
  if (found == answers.recordings.end()) throw UsageError(answers.why_not_all);
  std::vector<std::string_view> labels;
  for (const auto& cell : twin.cells) {
    if (!cell.restored) labels.push_back(cell.label);
  }
  return notebook::in_file<UsageError>("what its twin gave", [&] {
    auto recording = golden::parse_recording(found->second);
    golden::require_same_cells(recording.golden, slug, labels);
    return recording;
  });
}

}  // namespace torchbook::cli
