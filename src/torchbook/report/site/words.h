// Verdicts in words, as pages show them.
#pragma once

#include <torchbook/report/site/site.h>
#include <torchbook/report/site/templates.h>

#include <string>

namespace torchbook::report {

/// How many cells of a notebook, or of all, came out how.
struct Tally {
  std::size_t notebooks = 0;
  std::size_t cells = 0;
  std::size_t outputs = 0;
  std::size_t threw = 0;  ///< in the port or in its twin
  std::size_t not_run = 0;
  std::size_t not_judged = 0;       ///< notebooks that the document could not judge
  std::size_t not_live = 0;         ///< notebooks that a live PyTorch could not judge
  std::size_t equal = 0;            ///< to the document
  std::size_t as_printed = 0;       ///< agree with the document as printed, and no more
  std::size_t live_equal = 0;       ///< to a live PyTorch's, in text and bits
  std::size_t live_as_printed = 0;  ///< agree with a live PyTorch's as printed, and no more

  void add(const SiteNotebook& notebook);
};

/// The verdicts on a cell: by the document, and by the live PyTorch where one was there. Each is `{kind,
/// mark, text}`; of a cell without output there is none.
Data cell_verdicts(const notebook::Cell& cell, const SiteNotebook& notebook, const SiteContent& content);

/// The verdicts on many.
Data tally_verdicts(const Tally& tally, const SiteContent& content);

}  // namespace torchbook::report
