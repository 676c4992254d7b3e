// Counts the verdicts on cells and outputs, for all reports.
#pragma once

#include <torchbook/golden/judge.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

namespace torchbook::report {

/// The results of comparing outputs with one side.
struct Outputs {
  std::size_t all = 0;
  std::size_t equal = 0;
  std::size_t as_printed = 0;  ///< equal only as printed, and no exception says so
  std::size_t expected = 0;    ///< as their exceptions say

  void add(const golden::Judgement& judgement);
};

/// Judged cells, counted by their verdicts.
struct CellCounts {
  std::multiset<golden::Verdict> verdicts{};
  std::size_t carried = 0;  ///< those that are not ported, and whose values Python gave

  std::size_t with(golden::Verdict verdict) const { return verdicts.count(verdict); }
  void add(const golden::Judgement& judgement);
};

/// What became of the selected cells of one or more notebooks. The cells of a notebook that was not judged
/// are not counted.
struct Summary {
  std::size_t notebooks = 0;
  std::size_t not_judged = 0;  ///< notebooks
  std::size_t cells = 0;
  std::size_t not_run = 0;  ///< cells
  std::size_t untrue = 0;   ///< exceptions
  CellCounts expected{};    ///< the cells that are as their exceptions say
  CellCounts unexpected{};  ///< all other cells
  Outputs outputs{};        ///< those of judged cells

  void add(const golden::JudgedTranscript& judged);
};

/// Returns `all 32 outputs equal …`, or `31 of 32 outputs equal …` and the verdicts on the others.
/// `of` is the number of outputs that could have been compared with `against`.
std::string outputs_text(const Outputs& outputs, std::size_t of, std::string_view against);

/// Returns `5 notebooks, 124 cells, 83 outputs: 83 equal`, followed by the counts that are not 0, such as
/// `, 1 equal as printed`, `, 2 different` and `; as expected: 1 different, 1 not compared`.
std::string summary_text(const Summary& summary);

}  // namespace torchbook::report
