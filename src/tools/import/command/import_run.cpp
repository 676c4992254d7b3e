// Runs the twin that the import would write, and compares a notebook's stored outputs with that run.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/command/import_run.h>
#include <tools/import/command/linked_folder.h>
#include <tools/import/command/unseeded_draws.h>
#include <tools/import/draft.h>
#include <tools/import/text.h>
#include <torchbook/cli/shared/twins.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/golden/judge.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/report/words.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace torchbook::cli {
namespace {

using golden::Verdict;

golden::JudgedTranscript judged(const importing::Draft& draft, const golden::Golden& run) {
  notebook::Transcript transcript;
  transcript.slug = draft.golden.slug;
  for (const auto& cell : run.cells) {
    notebook::Cell ran;
    ran.position = cell.position;
    ran.label = cell.label;
    ran.out = cell.out;
    ran.result = cell.result;
    ran.ran = true;
    transcript.items.emplace_back(std::move(ran));
  }
  return golden::judge(std::move(transcript), draft.golden);
}

/// Returns the dotted names in a line of Python: `time.time` for `time.time() - start`, and `start`.
std::set<std::string, std::less<>> names_in(std::string_view line) {
  std::set<std::string, std::less<>> names;
  std::string name;
  for (const char c : std::string(line) + '\n') {
    if (importing::is_of_word(c) || c == '.') {
      name += c;
    } else {
      names.insert(std::exchange(name, {}));
    }
  }
  return names;
}

/// Guesses why a stored output differs from this run: returns the first cause that applies.
std::string_view cause_of(const std::string& python, const golden::GoldenCell& stored,
                          const golden::GoldenCell& run, Verdict verdict, bool unseeded, bool shows_time) {
  const auto shown = stored.out + stored.result.value_or("");
  const auto shows = [&](std::string_view text) { return shown.find(text) != shown.npos; };
  const auto has = [&](std::string_view text) { return python.find(text) != python.npos; };
  if (run.error || !run.ran) return "its Python fails here";
  if (has("# !") || has("# %%bash")) return "only Jupyter runs it";
  if (has("__version__") || has(" version(")) return "another release";
  if (shows("cuda") || shows("mps:") || has("cuda")) return "another device";
  if (shows(" at 0x")) return "an address";
  if (shows_time || has("%time")) return "a time";
  if (verdict == Verdict::equal_as_printed) return "last digits, or where lines break";
  if (unseeded) return "numbers drawn without a seed";
  return "cells run in another order, another release, or a file";
}

/// Compares the draft's stored outputs with a run, which has the draft's cells. Returns how many are
/// repeated, and a line for each cause of a difference; an empty text if the draft stores none.
std::string compare_stored_outputs(const importing::Draft& draft, const golden::Golden& run) {
  const auto ended = importing::cells_that_ended(run);
  const auto first = draft.golden.cells.begin();
  const auto stored = static_cast<std::size_t>(std::count_if(
      first, first + static_cast<std::ptrdiff_t>(ended), [](const auto& cell) { return cell.has_output(); }));
  if (stored == 0) return {};
  const auto judgements = judged(draft, run).judgements;
  const auto unseeded = cells_after_unseeded_draws(draft);
  const auto times = cells_with_times(draft);
  std::map<std::string_view, std::vector<std::string>> causes;
  std::size_t repeated = 0;
  for (std::size_t i = 0; i < ended; ++i) {
    const auto& cell = draft.golden.cells[i];
    if (!cell.has_output()) continue;
    const auto verdict = judgements.at(cell.position).verdict;
    if (verdict == Verdict::equal) {
      ++repeated;
      continue;
    }
    const auto cause = cause_of(draft.cells[i].twin.text, cell, run.cells[i], verdict, unseeded.contains(i),
                                times.contains(i));
    causes[cause].push_back(fmt::format("@{}", cell.position));
  }
  auto text = fmt::format("{} of {} {} what PyTorch shows here\n", repeated,
                          report::counted(stored, "stored output"), stored == 1 ? "is" : "are");
  for (const auto& [cause, cells] : causes)
    text += fmt::format("  {} {}: {} ({})\n", cells.size(), cells.size() == 1 ? "differs" : "differ", cause,
                        fmt::join(cells, ", "));
  return text;
}

/// Runs the twin that the import would write. `carried` gets the values after its cells.
golden::Recording run(const importing::Draft& draft, const PythonOptions& python, const CarriedRun& carried) {
  const auto& slug = draft.golden.slug;
  const auto text = importing::twin_text(draft);
  const LinkedFolder folder(draft.folder);
  const Twin twin{.file = slug + ".py",
                  .cells = notebook::parse_twin(text),
                  .tells_shapes = true,
                  .folder = folder.path(),
                  .carried_values = carried.values_file(),
                  .carried_types = carried.types_file()};
  return run_twin(slug, twin, python, carry);
}

}  // namespace

std::set<std::size_t> cells_with_times(const importing::Draft& draft) {
  static constexpr std::array<std::string_view, 9> clocks = {
      "time.time",    "time.perf_counter",     "time.monotonic",       "perf_counter",
      "datetime.now", "datetime.datetime.now", "timeit.default_timer", "default_timer",
      "tqdm"};
  std::set<std::size_t> cells;
  std::set<std::string, std::less<>> times(clocks.begin(), clocks.end());
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    for (const auto line : notebook::lines_of(draft.cells[i].twin.text)) {
      const auto names = names_in(line);
      if (std::none_of(names.begin(), names.end(), [&](const auto& name) { return times.contains(name); }))
        continue;
      cells.insert(i);
      const auto assigned = importing::stripped(line.substr(0, std::min(line.find('='), line.size())));
      const bool is_name = std::all_of(assigned.begin(), assigned.end(), importing::is_of_word);
      if (is_name && assigned.size() < line.size()) times.emplace(assigned);
    }
  }
  return cells;
}

NotebookRun run_again(const importing::Draft& draft, const PythonOptions& python) {
  auto carried = std::make_shared<CarriedRun>();
  auto recording = run(draft, python, *carried);
  return {.carried = std::move(carried), .golden = std::move(recording.golden)};
}

NotebookRun run_notebook(importing::Draft& draft, const PythonOptions& python) {
  auto carried = std::make_shared<CarriedRun>();
  auto recording = run(draft, python, *carried);
  auto stored = compare_stored_outputs(draft, recording.golden);
  importing::take_run(draft, recording.golden, recording.fingerprint.torch);
  return {.carried = std::move(carried),
          .golden = std::move(recording.golden),
          .torch = recording.fingerprint.torch,
          .stored = std::move(stored)};
}

}  // namespace torchbook::cli
