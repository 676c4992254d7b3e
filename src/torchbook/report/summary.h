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
    return different_ + not_ported_ + untrue_ + threw_ + not_run_ + not_judged_ == 0 &&
           (equal_as_printed_ == 0 || accept == golden::Accept::printed);
  }

  /// Returns `5 notebooks, 124 cells, 83 outputs: 83 equal`, followed by the counts that are not 0, such as
  /// `, 1 equal as printed`, `, 2 different` and `, 1 differs as expected`. Outputs are those that were
  /// compared, those that the golden has of cells that are not ported, and pictures. The cells of a notebook
  /// that was not judged are not counted.
  std::string text() const;

 private:
  void add(const golden::Judgement& judgement);

  std::size_t notebooks_ = 0;
  std::size_t cells_ = 0;
  std::size_t outputs_ = 0;
  std::size_t equal_ = 0;
  std::size_t equal_as_printed_ = 0;
  std::size_t different_ = 0;
  std::size_t not_ported_ = 0;
  std::size_t untrue_ = 0;  // exceptions
  std::size_t as_printed_as_expected_ = 0;
  std::size_t different_as_expected_ = 0;
  std::size_t not_ported_as_expected_ = 0;
  std::size_t not_compared_ = 0;
  std::size_t threw_ = 0;
  std::size_t not_run_ = 0;
  std::size_t not_judged_ = 0;  // notebooks
};

}  // namespace torchbook::report
