// Runs the twin that the import would write.
#include <fmt/format.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/import_run.h>
#include <torchbook/cli/python_golden.h>
#include <torchbook/cli/stored_outputs.h>
#include <torchbook/importing/draft_run.h>

namespace torchbook::cli {

NotebookRun run_notebook_if_asked(importing::Draft& draft, const Options& options) {
  const auto& import = options.import;
  const bool translates = !import.frame && !import.check;
  const bool builds = !import.frame && !import.no_build && !import.check;
  for (const auto& [option, acts] : {std::pair("--python", translates), std::pair("--timeout", builds)}) {
    if (!options.given.contains(option) || import.run || acts) continue;
    throw UsageError(fmt::format("{} does nothing without --run, which runs the notebook", option));
  }
  if (!options.import.run) return {};
  const auto& slug = draft.golden.slug;
  auto carried = std::make_shared<CarriedRun>();
  const auto text = importing::twin_text(draft);
  const Twin twin{.file = slug + ".py",
                  .cells = notebook::parse_twin(text),
                  .tells_shapes = true,
                  .carried_values = carried->values_file(),
                  .carried_types = carried->types_file()};
  const auto recording = run_twin(slug, twin, options.compare);
  auto stored = stored_outputs_text(draft, recording.golden);
  importing::take_run(draft, recording.golden, recording.fingerprint.torch);
  return {.carried = std::move(carried), .stored = std::move(stored)};
}

}  // namespace torchbook::cli
