// Describes what two traces have apart, in words that all reports share, and writes the reports.
#pragma once

#include <tools/part/difference.h>
#include <tools/part/tensor_bits.h>
#include <torchbook/golden/judge.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::trace_diff {

/// The cell, or restored state, of a notebook that a mark represents.
struct MarkedPlace {
  std::string name;  ///< `In [7]`
  std::string line;  ///< `sample.cpp:12`, where it begins
};

/// Two traces, their comparison, and the names that reports use for them.
struct ComparedTraces {
  const ReadTrace& here;
  const ReadTrace& there;
  const Texts& texts;
  const TraceComparison& comparison;
  std::string here_name{};  ///< of the file
  std::string there_name{};
  std::string best_capability{};  ///< of this processor, for remedies; empty: what any processor can run
  /// The meaning of a notebook's marks. A mark without a place is shown as it is.
  std::map<std::string, MarkedPlace, std::less<>> places{};
};

/// A comparison of one tensor on both sides.
struct DescribedTensor {
  std::string what;     ///< `input 1`, `output`
  std::string words{};  ///< in one line: `17 of 48 elements differ, by at most 2 ulps, …`
  std::string here{};   ///< all values of a small tensor, if they differ; otherwise empty
  std::string there{};
  bool equal = false;
  std::optional<BitsDifference> bits{};
};

/// An operation that followed from a difference, and how its first output differs.
struct DescribedFollower {
  Pair pair;
  std::string operation;  ///< its name without namespace and overload, and its line: `softmax (net.py:3)`
  DescribedTensor output;
};

/// A difference of two traces.
struct DescribedDifference {
  std::string kind;      ///< kind_words()
  std::string what;      ///< one line
  std::string here{};    ///< place() of its operations; empty if no operation of either side belongs to it
  std::string there{};   ///< likewise
  std::string advice{};  ///< what to write instead; empty if that is not known
  std::vector<DescribedTensor> tensors{};
  /// The differences between the programs' environments, if the bits depend on them: `CPU
  /// capability: AVX2 here, DEFAULT there`. Each ends with its remedy if one is known.
  std::vector<std::string> environment{};
  std::string followers{};                  ///< `3 operations follow`; empty if none does
  std::vector<DescribedFollower> growth{};  ///< a few of them, from the first to the last
};

DescribedDifference described(const ComparedTraces& traces, const Difference& difference);
DescribedTensor described(const ComparedTraces& traces, const TensorPair& pair);

/// Returns a difference in indented lines, without its heading: its operations, tensors, environment and
/// advice, and what followed from it.
std::string difference_lines(const DescribedDifference& difference);

/// Returns `other random numbers`, and so on.
std::string kind_words(Kind kind);

/// Returns one word, for programs and for CSS classes: `random`, and so on.
std::string kind_word(Kind kind);

/// Returns the place of operations in their trace: `operations 14 to 16, in layers.0, net.py:12`.
/// Operations are numbered from 1, in the order in which they began.
std::string place(const ComparedTraces& traces, const ReadTrace& trace,
                  const std::vector<std::uint32_t>& operations);

/// Returns whether a difference is the first of its kind. Reports describe these in detail.
bool is_first_of_kind(const TraceComparison& comparison, std::size_t index);

/// Returns how many operations of a trace no other operation called.
std::size_t outermost_operations(const ReadTrace& trace);

/// Returns how many operations a trace has, and what computed them.
std::string trace_words(const ReadTrace& trace);

/// Returns a line for each trace that was cut off. It says where the trace ends, and that later
/// operations are not compared.
std::vector<std::string> cut_lines(const ComparedTraces& traces);

/// Returns `Nothing differs`, and `as far as both traces go` if one was cut off.
std::string nothing_differs(const ComparedTraces& traces);

/// Returns `3 operations gave the same bits`, or `2 of 3 operations that both have gave other bits`. If only
/// operations without a partner or parameters differ, returns `3 operations that both have gave the same
/// bits`.
std::string bits_words(const TraceComparison& comparison);

/// The partings of cells, by position.
using CellsWithPartings = std::map<std::size_t, std::vector<golden::Parting>>;

/// Returns the partings of cells that differ from their twins. `cells` has their positions, and whether they
/// threw. The traces must have the marks of transcript.h. The differences that arise in a cell come first,
/// then those of earlier cells that affect it. The first cell with a difference describes it in full. If a
/// cell has no differences, its parting says that only the texts differ.
CellsWithPartings partings_of(const ComparedTraces& traces, const std::map<std::size_t, bool>& cells);

/// Returns the position in a mark of transcript.h, `@7` or `restored before @7`, or 0 for another text.
std::size_t cell_in(std::string_view mark);

/// Returns the first operation of each side with bits that the other side never had, for a notebook whose
/// outputs are equal: `from @5 on the operations differ: only mul_ there (layer.py:28)`. Returns an empty
/// text if there is none, or if a trace was cut off. The traces must have the marks of transcript.h.
std::string unshown_words(const ComparedTraces& traces);

/// Returns the comparison of two traces as text. The first difference of each kind has its operations, its
/// tensors and the operations that followed from it. The others have a line each, or share one.
std::string traces_text(const ComparedTraces& traces, bool colour);

/// Returns the comparison of two traces as JSON: `{"here", "there", "pairs", "differing", "differences": [ …
/// ], "without_effect"}`.
std::string traces_json(const ComparedTraces& traces);

/// Returns which operators of ATen `program` calls that `notebooks` does not, as text or as JSON. `file`
/// names the program's trace.
std::string operators_report(const ReadTrace& program, const ReadTrace& notebooks, const Texts& texts,
                             const std::string& file, bool json);

}  // namespace torchbook::trace_diff
