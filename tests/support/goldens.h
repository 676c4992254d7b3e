// Counts the cells and outputs of the goldens, without torchbook's code. So no test has these
// numbers in its text.
#pragma once

#include <string>
#include <vector>

namespace torchbook::test {

/// The contents of a notebook's golden.
struct GoldenCounts {
  std::string slug;         ///< the notebook's name
  std::string document;     ///< the file name of the original
  std::size_t cells = 0;    ///< all cells
  std::size_t outputs = 0;  ///< the cells that have an output
};

/// Returns the goldens in the order of their documents, which is that of the notebooks.
std::vector<GoldenCounts> goldens();

/// Returns the number of cells of all goldens.
std::size_t cell_count();

/// Returns the number of outputs of all goldens.
std::size_t output_count();

/// Returns the beginning of the summary of all notebooks: `5 notebooks, 124 cells, 83 outputs: `.
std::string summary_begin();

/// Returns the summary of all notebooks if all outputs are equal: `5 notebooks, 124 cells, 83 outputs: 83
/// equal`.
std::string summary_of_equal();

}  // namespace torchbook::test
