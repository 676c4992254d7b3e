// Counts the verdicts on cells and outputs, for all reports.
#pragma once

#include <torchbook/golden/verdict.h>

#include <cstddef>
#include <set>

namespace torchbook::report {

/// The results of comparing outputs with one side.
struct Outputs {
  std::size_t all = 0;
  std::size_t equal = 0;
  std::size_t as_printed = 0;  ///< equal only as printed, and no exception says so
  std::size_t expected = 0;    ///< as their exceptions say

  void add(const golden::Judgement& judgement);
};

/// What became of the selected cells of one or more notebooks. The cells of a notebook that was not judged
/// are not counted.
struct Summary {
  std::size_t notebooks = 0;
  std::size_t not_judged = 0;  ///< notebooks
  std::size_t cells = 0;
  std::size_t not_run = 0;                      ///< cells
  std::size_t untrue = 0;                       ///< exceptions
  std::size_t carried = 0;                      ///< cells that are not ported, and whose values Python gave
  std::multiset<golden::Verdict> expected{};    ///< on cells that are as their exceptions say
  std::multiset<golden::Verdict> unexpected{};  ///< on all other cells
  Outputs outputs{};  ///< those that were compared, those that a port lacks, and pictures

  void add(const golden::JudgedTranscript& judged);
};

}  // namespace torchbook::report
