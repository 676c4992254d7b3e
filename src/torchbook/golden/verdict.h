// Whether a run gave what its golden holds: a verdict for each cell, and where the first difference is.
#pragma once

#include <torchbook/golden/golden.h>
#include <torchbook/golden/shown_tensor.h>
#include <torchbook/golden/tensor_difference.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/notebook/transcript.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {

enum class Verdict {
  equal,             ///< every byte of stdout and result, and every bit of the tensors where those are known
  equal_as_printed,  ///< not that, but both outputs agree as compare_printed() reads them
  different,         ///< neither, or an output that only one side has
  no_output,         ///< neither side has any
  threw,             ///< the cell threw, or the twin's cell raised: there are no outputs to compare
};

/// `equal`, `equal-as-printed`, `different`, `no-output`, `threw`.
std::string_view verdict_name(Verdict verdict);

/// The weakest agreement that passes.
enum class Accept {
  equal,    ///< equal bytes
  printed,  ///< equal-as-printed too
};

/// Whether a cell with this verdict passes.
bool passes(Verdict verdict, Accept accept);

/// The first line in which a cell and its golden differ.
struct Difference {
  std::string_view where;               ///< `stdout` or `result`
  std::size_t line = 0;                 ///< from 1
  std::size_t column = 0;               ///< from 1, in bytes
  std::optional<std::string> golden{};  ///< the golden's line, nullopt where it has ended
  std::optional<std::string> actual{};  ///< the cell's line, nullopt where it has ended
};

/// Where in a cell's outputs values differ, and by how much.
struct ElementDifference {
  std::string_view where;  ///< `stdout` or `result`
  /// Which printed tensor of that text: 1, 2, 3 …; 0 for a value that stands in none.
  std::size_t tensor = 0;
  TensorDifference values{};
};

/// What became of one cell.
struct Judgement {
  Verdict verdict = Verdict::no_output;
  std::optional<Difference> difference{};  ///< there where stdout or result differ
  /// Where bits are known and decide, or tell why the texts differ, each tensor whose bits differ. Else,
  /// where the texts differ, the first values in which they do, as far as both can be read.
  std::vector<ElementDifference> elements{};
  std::vector<ShownTensor> shown{};  ///< the cell's tensors in the texts that show them
  std::optional<std::string> raised{};  ///< what the twin's cell raised, with file and line
};

/// By position: what became of the cells that were selected, and ran or threw.
using Judgements = std::map<std::size_t, Judgement>;

/// Returns the judgement of `cell`, or nullptr if it was not judged. It lives as long as `judgements`.
const Judgement* judgement_of(const Judgements& judgements, const notebook::Cell& cell);
const Judgement* judgement_of(const Judgements&& judgements, const notebook::Cell& cell) = delete;

/// A run, judged.
struct JudgedTranscript {
  notebook::Transcript transcript;
  Judgements judgements;
  std::string_view against = "golden";  ///< what it is judged by, in a word: `golden`, or `PyTorch`
  std::optional<notebook::Fingerprint> compared_with{};  ///< the PyTorch that it is judged by
  std::vector<std::string> restored_errors{};            ///< what restored states of its twin raised
  /// Why the run could not be judged, with file and line; there are no judgements then.
  std::optional<std::string> failure{};
};

/// Whether a cell threw, or one of the twin's cells raised, or a restored state of either did.
bool threw(const JudgedTranscript& judged);

/// Throws GoldenError if the golden is another notebook's, or if its cells are not the transcript's. Nothing
/// of the transcript needs to have run.
void require_cells_of(const notebook::Transcript& transcript, const Golden& golden);

/// Judges the selected cells, by their texts, and by the bits of their tensors where the golden knows those.
/// Throws GoldenError as require_cells_of() does.
JudgedTranscript judge(notebook::Transcript transcript, const Golden& golden);

}  // namespace torchbook::golden
