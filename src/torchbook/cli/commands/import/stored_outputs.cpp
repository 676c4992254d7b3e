#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/commands/import/stored_outputs.h>
#include <torchbook/cli/shared/drawing.h>
#include <torchbook/golden/verdict.h>
#include <torchbook/report/words.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
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

/// Returns the cells that show what was drawn without a seed.
std::set<std::size_t> cells_after_unseeded_draws(const importing::Draft& draft) {
  std::set<std::size_t> cells;
  const auto drawings = drawings_of(draft);
  const auto first =
      std::find_if(drawings.begin(), drawings.end(), [](const auto& each) { return !each.seeded; });
  if (first == drawings.end()) return cells;
  const auto seeded = std::find_if(first, drawings.end(), [](const auto& each) { return each.seeded; });
  const auto end = seeded == drawings.end() ? draft.cells.size() : seeded->cell;
  for (auto cell = first->cell; cell < end; ++cell) cells.insert(cell);
  return cells;
}

/// Returns why a stored output is not that of the run here, in the order in which causes are asked for.
std::string_view cause_of(const std::string& python, const golden::GoldenCell& stored,
                          const golden::GoldenCell& run, Verdict verdict, bool unseeded) {
  const auto shown = stored.out + stored.result.value_or("");
  const auto shows = [&](std::string_view text) { return shown.find(text) != shown.npos; };
  const auto has = [&](std::string_view text) { return python.find(text) != python.npos; };
  if (run.error || !run.ran) return "its Python fails here";
  if (has("# !") || has("# %%bash")) return "only Jupyter runs it";
  if (has("__version__") || has(" version(")) return "another release";
  if (shows("cuda") || shows("mps:") || has("cuda")) return "another device";
  if (shows(" at 0x")) return "an address";
  if (has("time.") || has("%time") || has("tqdm")) return "a time";
  if (verdict == Verdict::equal_as_printed) return "last digits";
  if (unseeded) return "numbers drawn without a seed";
  return "cells run in another order, another release, or a file";
}

}  // namespace

std::string stored_outputs_text(const importing::Draft& draft, const golden::Golden& run) {
  const auto stored = golden::output_count(draft.golden);
  if (stored == 0) return {};
  const auto judgements = judged(draft, run).judgements;
  const auto unseeded = cells_after_unseeded_draws(draft);
  std::map<std::string_view, std::vector<std::string>> causes;
  std::size_t repeated = 0;
  for (std::size_t i = 0; i < draft.cells.size(); ++i) {
    const auto& cell = draft.golden.cells[i];
    if (!cell.has_output()) continue;
    const auto verdict = judgements.at(cell.position).verdict;
    if (verdict == Verdict::equal) {
      ++repeated;
      continue;
    }
    causes[cause_of(draft.cells[i].twin.text, cell, run.cells[i], verdict, unseeded.contains(i))].push_back(
        fmt::format("@{}", cell.position));
  }
  auto text = fmt::format("{} of {} are what PyTorch gives here\n", repeated,
                          report::counted(stored, "stored output"));
  for (const auto& [cause, cells] : causes)
    text += fmt::format("  {} {}: {} ({})\n", cells.size(), cells.size() == 1 ? "differs" : "differ", cause,
                        fmt::join(cells, ", "));
  return text;
}

}  // namespace torchbook::cli
