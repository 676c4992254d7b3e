// Reads twins, checks that their cells are those of the notebooks, and runs them in a Python.
#include <fmt/format.h>
#include <torchbook/cli/shared/tools.h>
#include <torchbook/cli/shared/twins.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/pyrepr/utf8.h>
#include <torchbook/report/quoted.h>

#include <algorithm>
#include <cstdlib>

namespace torchbook::cli {

extern const std::string_view record_twin;  // the text of record_twin.py
extern const std::string_view run_twins;    // the text of run_twins.py

namespace {

/// `python -c` puts the current folder first. A module there must not replace one that Python imports.
constexpr std::string_view without_current_folder = "import sys\nif sys.path[:1] == ['']: del sys.path[0]\n";

using golden::Json;

/// Returns the settings with which run_twins.py records traces.
Json tracing() {
  const auto files = recorder();
  const auto module = [&](const char* name) {
    return read_file(fmt::format("{}/{}.py", files.modules, name));
  };
  return {
      {"modules", {{"torchbook", module("torchbook")}, {"torchbook_dispatch", module("torchbook_dispatch")}}},
      {"libraries", {files.library}},
      {"most", most_bytes_of_a_trace}};
}

/// Returns the request that run_twins.py reads: the twins as JSON.
std::string as_json(const std::map<std::string, Twin>& twins) {
  Json all = Json::object();
  for (const auto& [slug, twin] : twins) {
    Json cells = Json::array();
    for (const auto& cell : twin.cells) {
      cells.push_back({{"label", cell.restored ? Json(nullptr) : Json(cell.label)},
                       {"source", cell.source},
                       {"line", cell.line}});
    }
    all[slug] = {{"file", twin.file},
                 {"shapes", twin.tells_shapes},
                 {"trace", twin.trace},
                 {"folder", twin.folder},
                 {"carried", twin.carried_values.empty()
                                 ? Json(nullptr)
                                 : Json{{"values", twin.carried_values}, {"types", twin.carried_types}}},
                 {"cells", std::move(cells)}};
  }
  const bool traced =
      std::any_of(twins.begin(), twins.end(), [](const auto& one) { return !one.second.trace.empty(); });
  const Json request = {{"twins", std::move(all)}, {"tracing", traced ? tracing() : Json(nullptr)}};
  return golden::text_of_json(request, -1);  // a file's name may be no UTF-8
}

std::vector<std::string> command(const std::string& python, bool keep_going, int seconds,
                                 std::string_view carry) {
  ::unsetenv("PYTHONINSPECT");  // with it, Python imports readline from the current folder
  std::vector<std::string> words = {
      python, "-c", fmt::format("{}{}{}{}", without_current_folder, record_twin, carry, run_twins)};
  if (!keep_going) words.emplace_back("--no-keep-going");
  words.push_back(std::to_string(seconds));
  return words;
}

/// Reads a line of an answer and adds what it has. Throws GoldenError if run_twins.py cannot have
/// written the line.
void take_line(Answers& answers, std::string_view text, const std::string& python) {
  const Json line = golden::parse_json(text);
  if (const auto failure = golden::text_if_any(line, "failure")) {
    throw UsageError(fmt::format(
        "{} has no PyTorch ({}); Debian's is the package python3-torch, --python names another Python",
        python, report::shortened(*failure)));
  }
  if (line == Json{{"ready", true}}) return;
  if (const auto why = golden::text_if_any(line, "untraced")) {
    answers.untraced = report::shortened(*why);
    return;
  }
  if (!line.is_object() || line.size() != 1 || !line.front().is_object())
    throw golden::GoldenError(0, "it must hold one recording");
  answers.recordings[line.begin().key()] = golden::readable_text(line.front());
}

/// Throws TextError unless the text is UTF-8, the default encoding of Python source.
void require_utf8(std::string_view text) {
  std::size_t line = 1;
  while (!text.empty()) {
    const auto [code, length] = pyrepr::detail::first_character(text);
    if (code >= 0xD800 && code < 0xE000) throw notebook::TextError(line, "this is not UTF-8 text");
    if (code == '\n') ++line;
    text.remove_prefix(length);
  }
}

Twin built_in_twin(const notebook::PortedNotebook& notebook) {
  if (notebook.twin_file.empty()) throw UsageError("the notebook has no twin");
  Twin twin{.file = std::string(notebook.twin_file), .cells = {}};
  for (const auto& entry : notebook.table) {
    twin.cells.push_back({.restored = entry.restored,
                          .label = std::string(entry.label),
                          .source = std::string(entry.twin),
                          .line = entry.twin_line});
  }
  return twin;
}

}  // namespace

Twin twin_of(const notebook::PortedNotebook& notebook, const std::string& folder) {
  if (folder.empty()) return built_in_twin(notebook);
  const auto path = fmt::format("{}/{}.py", folder, notebook.slug);
  const auto text = read_file(path);
  return notebook::in_file<UsageError>(path, [&] {
    require_utf8(text);
    Twin twin{.file = path, .cells = notebook::parse_twin(text)};
    notebook::require_same_cells(notebook.table, twin.cells, notebook.port_file);
    return twin;
  });
}

Answers answers_in(std::string_view answer, const std::string& python) {
  Answers answers;
  std::size_t number = 1;
  for (auto end = answer.find('\n'); end != answer.npos; end = answer.find('\n'), ++number) {
    try {
      take_line(answers, answer.substr(0, end), python);
    } catch (const golden::GoldenError& error) {
      throw UsageError(
          fmt::format("the answer of {} is not a recording: line {}: {}", python, number, error.what()));
    }
    answer.remove_prefix(end + 1);
  }
  return answers;
}

RunningTwins::RunningTwins(const std::string& python, const std::map<std::string, Twin>& twins,
                           bool keep_going, int seconds, std::string_view carry)
    : python_(python),
      seconds_(seconds),
      child_(command(python, keep_going, seconds, carry), as_json(twins)) {}

Answers RunningTwins::wait() {
  const auto ended = child_.wait(std::chrono::seconds(seconds_), [&](std::chrono::seconds passed) {
    tell_waiting(passed, python_ + " to run the twins");
  });
  if (ended.too_much) {
    throw UsageError(fmt::format("{} answered more than {} MiB", python_, Child::most_bytes >> 20));
  }
  auto answers = answers_in(ended.answer, python_);
  const auto why = [&](std::string_view what) {
    if (ended.timed_out) {
      return fmt::format("{} did not run {} within {} s (--timeout sets another limit)", python_, what,
                         seconds_);
    }
    return fmt::format("{} did not run {}; it {}", python_, what, how_it_ended(ended));
  };
  const bool has_pytorch = ended.answer.starts_with("{\"ready\": true}\n");
  if (answers.recordings.empty() && !has_pytorch) throw UsageError(why("the twins"));
  answers.why_not_all = why("its twin");
  return answers;
}

golden::Recording run_twin(const std::string& slug, const Twin& twin, const PythonOptions& python,
                           std::string_view carry) {
  RunningTwins running(python.python(), {{slug, twin}}, /*keep_going=*/true, python.timeout, carry);
  const auto answers = running.wait();
  const auto found = answers.recordings.find(slug);
  if (found == answers.recordings.end()) throw UsageError(answers.why_not_all);
  return notebook::in_file<UsageError>("the output of its twin", [&] {
    auto recording = golden::parse_recording(found->second);
    golden::require_same_cells(recording.golden, slug, notebook::labels_of(twin.cells));
    return recording;
  });
}

}  // namespace torchbook::cli
