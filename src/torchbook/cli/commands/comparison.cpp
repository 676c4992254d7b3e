// Runs the ports and their twins, and compares them.
#include <fmt/format.h>
#include <torchbook/cli/commands/comparison.h>
#include <torchbook/cli/commands/partings.h>
#include <torchbook/cli/shared/goldens.h>
#include <torchbook/cli/shared/tools.h>
#include <torchbook/cli/shared/twins.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/golden/recording.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/notebook/run_trace.h>
#include <torchbook/notebook/temporary_file.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace torchbook::cli {
namespace {

/// The traces of a port and of its twin.
struct TracePair {
  notebook::TemporaryFile here{}, there{};
};

/// A notebook that is being compared.
struct Case {
  const notebook::PortedNotebook* notebook = nullptr;
  std::optional<std::set<std::size_t>> positions{};
  notebook::Transcript transcript{};    // the outline until the notebook has run
  std::unique_ptr<TracePair> traces{};  // if operations are compared
  golden::Recording recording{};
  std::optional<std::string> failure{};
};

std::vector<Case> cases_of(const std::vector<SelectedNotebook>& notebooks) {
  std::vector<Case> cases;
  cases.reserve(notebooks.size());
  for (const auto& [notebook, positions] : notebooks) {
    cases.push_back(
        {.notebook = &notebook, .positions = positions, .transcript = notebook::outline(notebook)});
  }
  return cases;
}

/// Reads the recording of a case from `text`. Errors name `where` as its place. The port's
/// exceptions and those of --exceptions apply to every recording; the golden's do not.
void take_recording(Case& one, std::string_view text, std::string_view where,
                    const std::vector<golden::Exceptions>& exceptions,
                    const golden::RecordingFile& base = {}) {
  try {
    one.recording = golden::parse_recording(text, base);
    golden::require_cells_of(one.transcript, one.recording.golden);
    add_exceptions_of_the_port(one.recording.golden, *one.notebook);
    add_exceptions(one.recording.golden, exceptions);
  } catch (const UsageError& error) {
    one.failure = error.what();
  } catch (const golden::GoldenError& error) {
    one.failure = error.in_file(where);
  }
}

void take_references(std::vector<Case>& cases, const Comparison& how,
                     const std::vector<golden::Exceptions>& exceptions) {
  for (auto& one : cases) {
    const auto& notebook = *one.notebook;
    try {
      if (how.reference == built_in) {
        const auto [file, text, base] = built_in_recording(notebook, notebook::fingerprint().torch);
        if (text.empty()) throw UsageError("the notebook has no recording");
        take_recording(one, text, file, exceptions, base);
      } else {
        const auto path = fmt::format("{}/{}.json", how.reference, notebook.slug);
        take_recording(one, read_file(path), path, exceptions);
      }
    } catch (const UsageError& error) {
      one.failure = error.what();
    }
  }
}

/// Returns the twins that can be run. The other cases get a failure.
std::map<std::string, Twin> twins_of(std::vector<Case>& cases, const Comparison& how) {
  std::map<std::string, Twin> twins;
  for (auto& one : cases) {
    try {
      Twin twin = twin_of(*one.notebook, how.python.twins);
      if (how.trace) {
        one.traces = std::make_unique<TracePair>();
        twin.trace = one.traces->there.path();
      }
      twins.emplace(one.notebook->slug, std::move(twin));
    } catch (const UsageError& error) {
      one.failure = error.what();
    }
  }
  return twins;
}

/// Runs a port and records its operations.
notebook::Transcript recorded_run(const Case& one) {
  notebook::RunTrace recording(recorder().library, one.traces->here.path(), {.most = most_bytes_of_a_trace});
  auto transcript = run_until_crash(*one.notebook, one.positions, &recording);
  try {
    recording.finish();
  } catch (const std::runtime_error&) {  // it was too large; what was recorded before is compared
  }
  return transcript;
}

void run_ports(std::vector<Case>& cases, bool for_pages) {
  for (auto& one : cases) {
    if (!one.failure && (one.traces || !for_pages)) {
      one.transcript = one.traces ? recorded_run(one) : run_until_crash(*one.notebook, one.positions);
    }
    // The pages also show intermediate tensors. The trace for them covers only the first operations
    // of a long cell, so the operations are compared with the trace of a separate run.
    if (for_pages) one.transcript = notebook::run_traced(*one.notebook, recorder().library);
  }
}

void take_answers(std::vector<Case>& cases, const Answers& answers, const std::string& record,
                  const std::vector<golden::Exceptions>& exceptions) {
  for (auto& one : cases) {
    if (one.failure) continue;
    const auto found = answers.recordings.find(one.transcript.slug);
    if (found == answers.recordings.end()) {
      one.failure = answers.why_not_all;
      continue;
    }
    take_recording(one, found->second, "the output of its twin", exceptions);
    if (record.empty() || one.failure) continue;  // what is no recording must not replace one
    write_file(fmt::format("{}/{}.json", record, found->first), found->second);
  }
}

/// Tells the user why operations are not compared.
void say_untraced(std::string_view why) {
  say_on_stderr(fmt::format("{}: --trace has no result: {}", notebook::program_name(), why));
}

void compare_traces(const Case& one, golden::JudgedTranscript& judged) try {
  add_partings(judged, one.traces->here.path(), one.traces->there.path());
} catch (const UsageError& error) {
  say_untraced(error.what());
}

golden::JudgedTranscript judged(Case one) {
  if (one.failure) {
    return {.transcript = std::move(one.transcript),
            .judgements = {},
            .against = "PyTorch",
            .failure = std::move(one.failure)};
  }
  auto judged = golden::judge(std::move(one.transcript), one.recording.golden);
  judged.against = "PyTorch";
  judged.compared_with = std::move(one.recording.fingerprint);
  judged.restored_errors = std::move(one.recording.restored_errors);
  if (one.traces) compare_traces(one, judged);
  return judged;
}

}  // namespace

std::vector<golden::JudgedTranscript> compare(const std::vector<SelectedNotebook>& notebooks,
                                              const Comparison& how) {
  if (!how.record.empty()) make_folder(how.record);  // before anything runs, so that no run is in vain
  const auto exceptions = exceptions_in(how.exceptions);
  auto cases = cases_of(notebooks);
  std::optional<RunningTwins> running;
  if (how.reference.empty()) {
    const auto twins = twins_of(cases, how);
    if (!twins.empty()) {
      running.emplace(how.python.python(), twins, how.keep_going, how.python.timeout);
    }
  } else {
    take_references(cases, how, exceptions);
  }
  run_ports(cases, how.for_pages);
  if (running) {
    const Answers answers = running->wait();
    take_answers(cases, answers, how.record, exceptions);
    if (!answers.untraced.empty()) {
      say_untraced(fmt::format("the twins cannot be recorded ({})", answers.untraced));
      for (auto& one : cases) one.traces.reset();
    }
  }

  std::vector<golden::JudgedTranscript> all;
  all.reserve(cases.size());
  for (auto& one : cases) all.push_back(judged(std::move(one)));
  return all;
}

}  // namespace torchbook::cli
