// Runs the twin that the import would write.
#include <fmt/format.h>
#include <torchbook/cli/commands/import/import_run.h>
#include <torchbook/cli/commands/import/stored_outputs.h>
#include <torchbook/cli/shared/run_twin.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/importing/draft_run.h>

namespace torchbook::cli {

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
  auto stored = stored_outputs_text(draft, recording.golden);
  importing::take_run(draft, recording.golden, recording.fingerprint.torch);
  return {.carried = std::move(carried), .stored = std::move(stored)};
}

}  // namespace torchbook::cli
