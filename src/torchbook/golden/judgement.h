// The result of comparing one cell with its golden.
#pragma once

#include <torchbook/golden/shown_tensor.h>
#include <torchbook/golden/tensor_difference.h>
#include <torchbook/golden/verdict.h>
#include <torchbook/notebook/transcript.h>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// The first line in which a cell and its golden differ.
struct LineDifference {
  std::string_view where;               ///< `stdout` or `result`
  std::size_t line = 0;                 ///< from 1
  std::size_t column = 0;               ///< from 1, in bytes
  std::optional<std::string> golden{};  ///< the golden's line, nullopt if the golden has ended
  std::optional<std::string> actual{};  ///< the cell's line, nullopt if the cell's output has ended
};

/// A place in a cell's outputs at which values differ, and how they differ.
struct ElementDifference {
  std::string_view where;  ///< `stdout` or `result`
  /// The number of the printed tensor in that text: 1, 2, 3 …; 0 for a value outside of tensors.
  std::size_t tensor = 0;
  bool recorded = false;  ///< whether the values are those of recorded tensors, otherwise of texts
  TensorDifference values{};
};

/// An operation of a trace.
struct TracedOperation {
  std::size_t number = 0;  ///< from 1
  std::string name;
  std::string line{};  ///< `sample.py:12`, or empty
};

/// A difference between the traces of a run and of its twin, as one cell reports it.
struct Parting {
  std::string kind;  ///< `kernel`, `argument`, `random` or `operations`; `text` if no operation differs
  std::string what;
  std::string advice{};  ///< empty if none is known
  std::string
      from{};  ///< the mark of the cell or restored state in which it arises; empty if it is this cell
  std::vector<TracedOperation> here{};  ///< the first ones
  std::vector<TracedOperation> there{};
  std::vector<std::string> lines{};  ///< all of it, for people
};

/// The result of comparing one cell with its golden.
struct Judgement {
  Verdict verdict = Verdict::no_output;
  std::optional<LineDifference> difference{};  ///< nullopt if stdout and result are equal
  /// If tensors are recorded: those that differ although the texts are equal, or that explain why the texts
  /// differ. Otherwise, the first printed values that differ, if the texts differ and both values can be
  /// read.
  std::vector<ElementDifference> elements{};
  bool has_other_text = false;  ///< whether the texts also differ beside the elements of recorded tensors
  std::vector<ShownTensor> shown{};         ///< where the texts show the cell's tensors
  std::optional<std::string> raised{};      ///< what the twin's cell raised, with file and line
  std::optional<std::string> not_ported{};  ///< why the port has no code for the cell, as the port says it
  std::vector<std::string> carried{};       ///< what Python gave instead of the cell, by name
  bool golden_has_output = false;           ///< whether the golden shows anything of the cell
  std::optional<Exception> exception{};     ///< what is known of the cell
  bool exception_holds = false;             ///< whether that is so
  std::vector<Parting> partings{};          ///< why the cell differs, if both were traced
};

/// Returns whether the cell is as its exception says.
bool is_expected(const Judgement& judgement);

/// Returns whether the cell has an exception that does not hold. Returns false if the cell threw or
/// is not ported, because that is unknown then.
bool has_untrue_exception(const Judgement& judgement);

/// Returns whether the cell passes: it is as its exception says or, without one, its verdict is accepted. All
/// reports and exit codes ask this function.
bool passes(const Judgement& judgement, Accept accept);

/// Returns whether the cell has an output that is counted: the golden has one, as output_count() says, or the
/// cell shows what the golden lacks.
bool has_counted_output(const Judgement& judgement);

/// The judgements of the selected cells that ran or threw, by position.
using Judgements = std::map<std::size_t, Judgement>;

/// Returns the judgement of `cell`, or nullptr if it was not judged. It lives as long as `judgements`.
const Judgement* judgement_of(const Judgements& judgements, const notebook::Cell& cell);
const Judgement* judgement_of(const Judgements&& judgements, const notebook::Cell& cell) = delete;

}  // namespace torchbook::golden
