// The counts at the end of a report.
#pragma once

#include <torchbook/golden/verdict.h>

#include <cstddef>
#include <string>

namespace torchbook::report {

/// Counts what became of the selected cells of one or more notebooks.
class Summary {
 public:
  void add(const golden::JudgedTranscript& judged);

  bool all_equal() const { return all_pass(golden::Accept::equal); }

  /// Whether every selected cell ran and passes.
  bool all_pass(golden::Accept accept) const {
    return different_ == 0 && not_run_ == 0 && (equal_as_printed_ == 0 || accept == golden::Accept::printed);
  }

  /// `5 notebooks, 124 cells, 83 outputs: 83 equal`, and where they are not 0 `, 1 equal as printed`, `, 2
  /// different` and `, 7 cells not run`.
  std::string text() const;

 private:
  std::size_t notebooks_ = 0;
  std::size_t cells_ = 0;
  std::size_t equal_ = 0;
  std::size_t equal_as_printed_ = 0;
  std::size_t different_ = 0;
  std::size_t not_run_ = 0;
};

}  // namespace torchbook::report
