// Runs one twin and turns its recording into a golden.
#include <fmt/format.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/python.h>
#include <torchbook/cli/python_golden.h>
#include <torchbook/cli/twins.h>
#include <torchbook/golden/golden_text.h>
#include <torchbook/golden/recording.h>
#include <torchbook/golden/verdict.h>
#include <torchbook/report/details.h>

namespace torchbook::cli {
namespace {

/// Returns what the twin gave, read and checked.
golden::Recording recording_of(const notebook::PortedNotebook& notebook, const CompareOptions& how) {
  const std::string slug(notebook.slug);
  RunningTwins running(how.python.value_or(default_python), {{slug, twin_of(notebook, how.twins)}},
                       /*keep_going=*/true, how.timeout);
  const auto answers = running.wait();
  const auto found = answers.recordings.find(slug);
  if (found == answers.recordings.end()) throw UsageError(answers.why_not_all);
  return notebook::in_file<UsageError>("what its twin gave", [&] {
    auto recording = golden::parse_recording(found->second);
    golden::require_cells_of(notebook::outline(notebook), recording.golden);
    return recording;
  });
}

}  // namespace

PythonGolden python_golden(const notebook::PortedNotebook& notebook, const CompareOptions& how) {
  auto recording = recording_of(notebook, how);
  PythonGolden made;
  for (const auto& error : recording.restored_errors) made.raised.push_back(report::twin_error(error));
  for (const auto& cell : recording.golden.cells) {
    if (cell.error) {
      made.raised.push_back(report::twin_error(cell.label, cell.position, *cell.error));
    } else if (!cell.ran && made.raised.empty()) {
      throw UsageError(fmt::format("the twin ended before cell In [{}] (@{})", cell.label, cell.position));
    }
  }
  if (!made.raised.empty()) return made;
  recording.golden.document = fmt::format("{} and {}", recording.fingerprint.torch, notebook.twin_file);
  made.text = golden::golden_text(recording.golden);
  return made;
}

}  // namespace torchbook::cli
