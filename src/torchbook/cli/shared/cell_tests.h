// Makes each cell of the linked notebooks a test. Includes neither LibTorch nor GoogleTest: tests of any
// project link it.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace torchbook {

/// A cell of a notebook that this program links.
struct CellTest {
  std::size_t notebook;  ///< the index of its notebook
  std::size_t position;  ///< 1, 2, 3 … in document order
  std::string name;      ///< of notebook, position and label: `mathematical_trick_11_In_49`
};

/// Writes the name. GoogleTest takes the names of tests from here.
void PrintTo(const CellTest& test, std::ostream* stream);

/// What the test of a cell found.
struct CellResult {
  bool passed = false;
  /// Why it failed: the document, the cell, the first difference as `torchbook check` shows it, and the
  /// command that runs the cell again. If it passed, the exception by which it did, otherwise empty.
  std::string text{};
};

/// Returns the tests of all cells of the linked notebooks, in document order.
std::vector<CellTest> cell_tests();

/// Compares a cell with its golden. The first test of a notebook runs it, for all its cells. Errors are
/// results.
CellResult run_cell_test(const CellTest& test);

}  // namespace torchbook
