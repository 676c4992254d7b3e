// Puts verdicts into words for pages.
#pragma once

#include <torchbook/report/site/site.h>
#include <torchbook/report/site/templates.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::report {

/// A verdict in words.
struct WordedVerdict {
  std::string_view kind;  ///< `good`, `bad`, or `neither` for what counts as no failure and is not equal
  std::string text;
};

/// Counts the verdicts on the cells of one or all notebooks.
struct Tally {
  /// What became of outputs that were compared with one side.
  struct Outputs {
    std::size_t equal = 0;
    std::size_t as_printed = 0;  ///< agree only as printed
    std::size_t expected = 0;    ///< are as their exceptions say
  };

  std::size_t notebooks = 0;
  std::size_t cells = 0;
  std::size_t outputs = 0;
  std::size_t threw = 0;       ///< in the port or in its twin
  std::size_t not_ported = 0;  ///< cells without an exception that says so
  std::size_t untrue = 0;      ///< exceptions
  std::size_t not_run = 0;
  std::size_t not_judged = 0;  ///< notebooks that the document could not judge
  std::size_t not_live = 0;    ///< notebooks that a live PyTorch could not judge
  Outputs document{};          ///< compared with the document
  Outputs pytorch{};           ///< compared with a live PyTorch, in text and bits

  void add(const SiteNotebook& notebook);
};

/// Returns the verdicts on a cell: by the document, and by the live PyTorch if there was one. A verdict is
/// bad if golden::passes() does not accept the cell, or if there is no judgement. A cell without output has
/// none.
std::vector<WordedVerdict> cell_verdicts(const notebook::Cell& cell, const SiteNotebook& notebook,
                                         const SiteContent& content);

/// Returns the verdicts on many cells.
std::vector<WordedVerdict> tally_verdicts(const Tally& tally, const SiteContent& content);

/// Returns the verdicts for a template, each as `{kind, mark, text}`.
Data verdicts_data(const std::vector<WordedVerdict>& verdicts);

}  // namespace torchbook::report
