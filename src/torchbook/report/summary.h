// The counts at the end of a report.
#pragma once

#include <torchbook/golden/verdict.h>

#include <cstddef>
#include <string>

namespace torchbook {

/// Counts what became of the selected cells of one or more notebooks.
class Summary {
 public:
  void add(const JudgedTranscript& judged);

  bool all_equal() const { return different_ == 0 && not_run_ == 0; }

  /// `5 notebooks, 124 cells, 83 outputs: 83 equal`, and where they are not 0 `, 2 different` and `, 7 not
  /// run`.
  std::string text() const;

 private:
  std::size_t notebooks_ = 0;
  std::size_t cells_ = 0;
  std::size_t equal_ = 0;
  std::size_t different_ = 0;
  std::size_t not_run_ = 0;
};

}  // namespace torchbook
