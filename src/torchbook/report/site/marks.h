// Marks the verdicts on cells and notebooks as good or bad.
#pragma once

#include <torchbook/report/site/html.h>
#include <torchbook/report/site/site.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::report {

/// A statement on a page, and its mark.
struct MarkedText {
  std::string_view mark;  ///< `good`, `bad`, or `neither` for what counts as no failure and is not equal
  std::string text;
};

/// Returns the verdicts on a cell: by the document, and by the live PyTorch if there was one. A
/// verdict is bad if golden::passes() does not accept the cell, or if there is no judgement. A cell
/// without output has no verdict unless it has an exception that is untrue.
std::vector<MarkedText> cell_verdicts(const notebook::Cell& cell, const SiteNotebook& notebook,
                                      const SiteContent& content);

/// Returns the combined verdicts on some notebooks of the site.
std::vector<MarkedText> verdicts_on(std::span<const SiteNotebook> notebooks, const SiteContent& content);

/// Returns how many cells a page shows.
std::size_t selected_cells(const notebook::Transcript& transcript);

/// Sets `cells`, `outputs` and `verdicts` of a notebook.
void set_counts(Data& data, const SiteNotebook& notebook, const SiteContent& content);

/// Returns the verdicts for a template, each as `{kind, mark, text}`.
Data verdicts_data(const std::vector<MarkedText>& verdicts);

}  // namespace torchbook::report
