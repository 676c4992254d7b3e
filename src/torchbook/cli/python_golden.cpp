// Runs one twin and turns its recording into a golden.
#include <fmt/format.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/goldens.h>
#include <torchbook/cli/python.h>
#include <torchbook/cli/python_golden.h>
#include <torchbook/golden/golden_text.h>
#include <torchbook/golden/recording.h>
#include <torchbook/report/verdict_words.h>

namespace torchbook::cli {
golden::Recording run_twin(const std::string& slug, const Twin& twin, const CompareOptions& how) {
  RunningTwins running(how.python.value_or(default_python), {{slug, twin}}, /*keep_going=*/true, how.timeout);
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

PythonGolden python_golden(const notebook::PortedNotebook& notebook, const CompareOptions& how) {
  auto recording = run_twin(std::string(notebook.slug), twin_of(notebook, how.twins), how);
  add_exceptions_of_the_port(recording.golden, notebook);
  PythonGolden made;
  for (const auto& error : recording.restored_errors) made.raised.push_back(report::twin_error(error));
  for (const auto& cell : recording.golden.cells) {
    const bool may_raise = cell.exception && cell.exception->kind == golden::ExceptionKind::not_ported;
    if (cell.error && !may_raise) {
      made.raised.push_back(report::twin_error(cell.label, cell.position, *cell.error));
    } else if (!cell.ran && made.raised.empty()) {
      throw UsageError(fmt::format("the twin ended before cell In [{}] (@{})", cell.label, cell.position));
    }
  }
  if (!made.raised.empty()) {
    made.raised.emplace_back("no golden is made; a cell may raise if its exception is 'not ported: …'");
    return made;
  }
  recording.golden.document = fmt::format("{} and {}", recording.fingerprint.torch, notebook.twin_file);
  made.text = golden::golden_text(recording.golden);
  return made;
}

}  // namespace torchbook::cli
