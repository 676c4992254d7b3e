// Counts what a report says at its end.
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

  /// Returns whether every notebook was judged, and every selected cell ran and passes.
  bool all_pass(golden::Accept accept) const {
    return different_ + not_ported_ + threw_ + not_run_ + not_judged_ == 0 &&
           (equal_as_printed_ == 0 || accept == golden::Accept::printed);
  }

  /// Returns `5 notebooks, 124 cells, 83 outputs: 83 equal`, followed by the counts that are not 0: `, 1
  /// equal as printed`, `, 2 different`, `, 1 not ported`, `, 1 threw`, `, 7 cells not run` and `, 1 notebook
  /// not judged`. The cells of a notebook that was not judged are not counted.
  std::string text() const;

 private:
  std::size_t notebooks_ = 0;
  std::size_t cells_ = 0;
  std::size_t outputs_ = 0;
  std::size_t equal_ = 0;
  std::size_t equal_as_printed_ = 0;
  std::size_t different_ = 0;
  std::size_t not_ported_ = 0;
  std::size_t threw_ = 0;
  std::size_t not_run_ = 0;
  std::size_t not_judged_ = 0;  // notebooks
};

}  // namespace torchbook::report
