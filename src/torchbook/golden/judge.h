// Judges whether a run printed what its golden holds: a verdict for each cell, and the first difference.
#pragma once

#include <torchbook/golden/golden.h>
#include <torchbook/golden/judgement.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/notebook/transcript.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// A run with the judgements of its cells.
struct JudgedTranscript {
  notebook::Transcript transcript;
  Judgements judgements;
  std::string_view against = "golden";  ///< what the run is compared with, in one word: `golden` or `PyTorch`
  std::optional<notebook::Fingerprint> compared_with{};  ///< the fingerprint of that PyTorch
  /// If no cell differs and both were traced, where the operations differ nevertheless; otherwise empty.
  std::string unshown{};
  std::vector<std::string> restored_errors{};  ///< what the twin's restored states raised
  /// Which golden it is compared with, if that is not the document's: `sample.2.6.golden, from PyTorch 2.6.0
  /// and sample.py`; otherwise empty.
  std::string golden_from{};
  /// Why the run could not be judged, with file and line. If it has a value, there are no judgements.
  std::optional<std::string> failure{};
};

/// Returns whether a cell or a restored state threw in the port or raised in the twin.
bool threw(const JudgedTranscript& judged);

/// Returns whether the run was judged, and every selected cell ran and passes.
bool passes(const JudgedTranscript& judged, Accept accept);

/// Throws GoldenError if the golden belongs to another notebook or has other cells than the transcript. No
/// cell of the transcript needs to have run.
void require_cells_of(const notebook::Transcript& transcript, const Golden& golden);

/// Judges the selected cells by their texts, and by their tensors if the golden has recorded ones. Throws
/// GoldenError as require_cells_of() does.
JudgedTranscript judge(notebook::Transcript transcript, const Golden& golden);

/// Excuses the cells in which only values differ, because other kernels round otherwise. `reason` says which
/// settings make them equal.
void excuse_kernels(JudgedTranscript& judged, const std::string& reason);

}  // namespace torchbook::golden
