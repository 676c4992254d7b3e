// Runs the twin that the import would write.
#include <torchbook/cli/import_run.h>
#include <torchbook/cli/python_golden.h>
#include <torchbook/importing/draft_run.h>

namespace torchbook::cli {

void run_notebook(importing::Draft& draft, const CompareOptions& how) {
  const auto& slug = draft.golden.slug;
  const Twin twin{.file = slug + ".py", .cells = notebook::parse_twin(importing::twin_text(draft))};
  const auto recording = run_twin(slug, twin, how);
  importing::take_run(draft, recording.golden, recording.fingerprint.torch);
}

}  // namespace torchbook::cli
