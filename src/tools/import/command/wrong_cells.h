// Compares the values of names after each cell of a port with those of the notebook.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::cli {

/// The state after a cell of the notebook when Python ran it.
struct RecordedCell {
  std::map<std::string, std::string>
      changed{};                 ///< the texts of names that it changed, as proof.py makes them
  std::set<std::string> read{};  ///< the names that it reads or writes, also through functions
  std::map<std::string, std::string> restored{};  ///< the changes by a restored state below it
  bool is_ported = true;  ///< if false, a setting such as the state of a generator may differ
};

/// The cells of a run, up to the one that ended Python.
using RecordedCells = std::vector<RecordedCell>;

/// The faults of C++ cells, by position.
using Faults = std::map<std::size_t, std::string>;

/// Removes the values that differ between two runs of Python. Returns their names, by the positions of the
/// cells that assigned them.
std::map<std::size_t, std::set<std::string>> remove_what_varies(RecordedCells& run,
                                                                const RecordedCells& other);

/// Returns the last cell that a proving program reported before it ended; 0 if there is none.
std::size_t last_cell_in(std::string_view proof_log);

/// Returns the cells that are wrong: everything that they read was equal when they began, and something
/// differs when they end. `proof_log` is the output of the proving program. `outputs` has the differences of
/// the cells' outputs. Cells `without_cpp` are never wrong, and their differences do not excuse later cells.
Faults wrong_cells(const RecordedCells& run, std::string_view proof_log, const Faults& outputs,
                   const std::set<std::size_t>& without_cpp = {});

}  // namespace torchbook::cli
