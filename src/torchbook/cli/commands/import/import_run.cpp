// Runs the twin that the import would write.
#include <fmt/format.h>
#include <torchbook/cli/commands/import/import_run.h>
#include <torchbook/cli/commands/import/stored_outputs.h>
#include <torchbook/cli/shared/twins.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/importing/draft_run.h>

namespace torchbook::cli {
namespace {

/// Throws UsageError if a cell took too long: what came after it would be taken for what the notebook gives.
void refuse_unless_ended(const golden::Golden& run) {
  for (const auto& cell : run.cells) {
    if (cell.error && cell.error->find("--timeout sets another limit") != std::string::npos)
      throw UsageError(fmt::format("cell @{} In [{}]: {}", cell.position, cell.label, *cell.error));
  }
}

}  // namespace

NotebookRun run_notebook_if_asked(importing::Draft& draft, const ImportOptions& options) {
  if (!options.run) return {};
  const auto& slug = draft.golden.slug;
  auto carried = std::make_shared<CarriedRun>();
  const auto text = importing::twin_text(draft);
  const Twin twin{.file = slug + ".py",
                  .cells = notebook::parse_twin(text),
                  .tells_shapes = true,
                  .carried_values = carried->values_file(),
                  .carried_types = carried->types_file()};
  const auto recording = run_twin(slug, twin, options.python);
  refuse_unless_ended(recording.golden);
  auto stored = compare_stored_outputs(draft, recording.golden);
  importing::take_run(draft, recording.golden, recording.fingerprint.torch);
  for (const auto i : stored.times) {
    if (draft.cells[i].exception.empty()) draft.cells[i].exception = "varies: it shows a time";
  }
  return {.carried = std::move(carried), .stored = std::move(stored.text)};
}

}  // namespace torchbook::cli
