// Runs twins in a Python.
#include <fmt/format.h>
#include <torchbook/cli/shared/answer.h>
#include <torchbook/cli/shared/installation.h>
#include <torchbook/cli/shared/python.h>
#include <torchbook/cli/shared/trace_pair.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/golden/json_text.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace torchbook::cli {

extern const std::string_view record_twin;      // the text of record_twin.py
extern const std::string_view carry;            // the text of carry.py
extern const std::string_view run_twins;        // the text of run_twins.py
extern const std::string_view tracer;           // the text of torchbook.py
extern const std::string_view tracer_dispatch;  // the text of torchbook_dispatch.py

namespace {

/// `python -c` puts the current folder first. A module there must not replace one that Python imports.
constexpr std::string_view without_current_folder = "import sys\nif sys.path[:1] == ['']: del sys.path[0]\n";

constexpr const char* trace_library = "libtorchbook_trace.so";

using golden::Json;

/// Returns the possible paths of libtorchbook_trace.so: next to this program, or in the installed
/// library folders.
Json trace_libraries() {
  std::error_code none;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
  Json files = Json::array();
  files.push_back(folder / trace_library);
  for (const auto& lib : library_folders()) files.push_back(lib / trace_library);
  return files;
}

/// Returns the settings with which run_twins.py records traces.
Json tracing() {
  return {{"modules", {{"torchbook", tracer}, {"torchbook_dispatch", tracer_dispatch}}},
          {"libraries", trace_libraries()},
          {"most", TracePair::most_bytes}};
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
                 {"carried", twin.carried_values.empty()
                                 ? Json(nullptr)
                                 : Json{{"values", twin.carried_values}, {"types", twin.carried_types}}},
                 {"cells", std::move(cells)}};
  }
  const bool traced =
      std::any_of(twins.begin(), twins.end(), [](const auto& one) { return !one.second.trace.empty(); });
  const Json request = {{"twins", std::move(all)}, {"tracing", traced ? tracing() : Json(nullptr)}};
  return request.dump(-1, ' ', false, Json::error_handler_t::replace);  // a file's name may be no UTF-8
}

std::vector<std::string> command(const std::string& python, bool keep_going, int seconds) {
  ::unsetenv("PYTHONINSPECT");  // with it, Python imports readline from the current folder
  std::vector<std::string> words = {
      python, "-c", fmt::format("{}{}{}{}", without_current_folder, record_twin, carry, run_twins)};
  if (!keep_going) words.emplace_back("--no-keep-going");
  words.push_back(std::to_string(seconds));
  return words;
}

}  // namespace

RunningTwins::RunningTwins(const std::string& python, const std::map<std::string, Twin>& twins,
                           bool keep_going, int seconds)
    : python_(python), seconds_(seconds), child_(command(python, keep_going, seconds), as_json(twins)) {}

Answers RunningTwins::wait() {
  const auto ended = child_.wait(std::chrono::seconds(seconds_), [&](std::chrono::seconds passed) {
    tell_waiting(passed, python_ + " to run the twins");
  });
  if (ended.too_much) {
    throw UsageError(fmt::format("{} answered more than {} MiB", python_, Child::most_bytes >> 20));
  }
  std::string untraced;
  auto recordings = recordings_in(ended.answer, python_, &untraced);
  const auto why = [&](std::string_view what) {
    if (ended.timed_out) {
      return fmt::format("{} did not run {} within {} s (--timeout sets another limit)", python_, what,
                         seconds_);
    }
    return fmt::format("{} did not run {}; it {}", python_, what, how_it_ended(ended));
  };
  const bool has_pytorch = ended.answer.starts_with("{\"ready\": true}\n");
  if (recordings.empty() && !has_pytorch) throw UsageError(why("the twins"));
  return {
      .recordings = std::move(recordings), .why_not_all = why("its twin"), .untraced = std::move(untraced)};
}

}  // namespace torchbook::cli
