// Asks a Python to run twins, and reads its answer.
#include <fmt/format.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/files.h>
#include <torchbook/cli/python.h>

#include <nlohmann/json.hpp>

namespace torchbook::cli {

extern const std::string_view run_twins;  // the text of run_twins.py

namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr int seconds_of_silence = 2;
constexpr int seconds_between_words = 15;

/// The last line of what a program said, which is where Python says what went wrong.
std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

std::string how_it_ended(const Child::Ended& ended) {
  const std::string said = last_line(ended.said);
  const std::string how = ended.code > 128 ? fmt::format("was ended by signal {}", ended.code - 128)
                                           : fmt::format("ended with exit code {}", ended.code);
  return said.empty() ? how : fmt::format("{}: {}", how, said);
}

void show_progress(const std::string& python, int seconds) {
  if (seconds == seconds_of_silence || seconds % seconds_between_words == 0) {
    say_on_stderr(fmt::format("torchbook: {} s, waiting for {} to run the twins", seconds, python));
  }
}

/// The twins, as run_twins.py reads them.
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

/// Takes the recordings out of an answer, which has a line for each twin. A last line without its end was cut
/// off.
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
    show_progress(python_, static_cast<int>(passed.count()));
  });
  auto recordings = recordings_in(ended.answer, python_);
  const auto why = [&](std::string_view what) {
    if (ended.timed_out) {
      return fmt::format("{} did not run {} within {} s (--timeout sets another limit)", python_, what,
                         seconds);
    }
    return fmt::format("{} did not run {}; it {}", python_, what, how_it_ended(ended));
  };
  if (recordings.empty()) throw UsageError(why("the twins"));
  return {.recordings = std::move(recordings), .why_not_all = why("its twin")};
}

}  // namespace torchbook::cli
