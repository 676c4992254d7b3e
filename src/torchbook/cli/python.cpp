// Runs twins in a Python and reads its answer.
#include <fmt/format.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/python.h>

#include <nlohmann/json.hpp>

namespace torchbook::cli {

extern const std::string_view run_twins;  // the text of run_twins.py

namespace {

using OrderedJson = nlohmann::ordered_json;

/// Returns the twins in the form that run_twins.py reads.
std::string as_json(const std::map<std::string, Twin>& twins) {
  OrderedJson all = OrderedJson::object();
  for (const auto& [slug, twin] : twins) {
    OrderedJson cells = OrderedJson::array();
    for (const auto& cell : twin.cells) {
      cells.push_back({{"label", cell.restored ? OrderedJson(nullptr) : OrderedJson(cell.label)},
                       {"source", cell.source},
                       {"line", cell.line}});
    }
    all[slug] = {{"file", twin.file}, {"cells", std::move(cells)}};
  }
  return all.dump();
}

std::vector<std::string> command(const std::string& python, bool keep_going) {
  std::vector<std::string> words = {python, "-c", std::string(run_twins)};
  if (!keep_going) words.emplace_back("--no-keep-going");
  return words;
}

/// Returns the recordings of an answer, which has a line for each twin. An incomplete last line is ignored,
/// because the Python was stopped while it wrote it.
std::map<std::string, std::string> recordings_in(const std::string& answer, const std::string& python) {
  std::map<std::string, std::string> recordings;
  std::size_t start = 0;
  for (auto end = answer.find('\n'); end != answer.npos; end = answer.find('\n', start)) {
    const auto line = OrderedJson::parse(answer.begin() + static_cast<std::ptrdiff_t>(start),
                                         answer.begin() + static_cast<std::ptrdiff_t>(end), nullptr,
                                         /*allow_exceptions=*/false);
    start = end + 1;
    if (line.is_object() && line.contains("failure")) {
      throw UsageError(fmt::format(
          "{} has no PyTorch ({}); Debian's is the package python3-torch, --python names another Python",
          python, line.value("failure", "")));
    }
    if (line == OrderedJson{{"ready", true}}) continue;
    if (!line.is_object() || line.size() != 1 || !line.front().is_object()) {
      throw UsageError(fmt::format("{} answered something that is no recording", python));
    }
    recordings[line.begin().key()] = line.front().dump(1) + '\n';
  }
  return recordings;
}

}  // namespace

RunningTwins::RunningTwins(const std::string& python, const std::map<std::string, Twin>& twins,
                           bool keep_going)
    : python_(python), child_(command(python, keep_going), as_json(twins)) {}

Answers RunningTwins::wait(int seconds) {
  const auto ended = child_.wait(std::chrono::seconds(seconds), [&](std::chrono::seconds passed) {
    tell_waiting(passed, python_ + " to run the twins");
  });
  auto recordings = recordings_in(ended.answer, python_);
  const auto why = [&](std::string_view what) {
    if (ended.timed_out) {
      return fmt::format("{} did not run {} within {} s (--timeout sets another limit)", python_, what,
                         seconds);
    }
    return fmt::format("{} did not run {}; it {}", python_, what, how_it_ended(ended));
  };
  const bool has_pytorch = ended.answer.starts_with("{\"ready\": true}\n");
  if (recordings.empty() && !has_pytorch) throw UsageError(why("the twins"));
  return {.recordings = std::move(recordings), .why_not_all = why("its twin")};
}

}  // namespace torchbook::cli
