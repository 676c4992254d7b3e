// Compares what the cells of a port left in their names with what those of the notebook did.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::cli {

/// What a cell of the notebook left when Python ran it.
struct RecordedCell {
  std::map<std::string, std::string>
      changed{};                 ///< the texts of names that it changed, as proof.py makes them
  std::set<std::string> read{};  ///< the names that it reads or writes, also through functions
  std::map<std::string, std::string> restored{};  ///< what a restored state below it changed
  bool is_ported =
      true;  ///< otherwise it is not wrong if a setting differs, such as the state of a generator
};

/// The cells of a run, from the first on. What ended Python ends them.
using RecordedCells = std::vector<RecordedCell>;

/// Maps the positions of cells to what is wrong with their C++.
using Faults = std::map<std::size_t, std::string>;

/// Removes what two runs of Python do not have in common.
void remove_what_varies(RecordedCells& run, const RecordedCells& other);

/// Returns the last cell that a proving program wrote of before it ended; 0 if there is none.
std::size_t last_cell_in(std::string_view told);

/// Returns the cells that are wrong: all that they read was equal when they began, and something differs when
/// they ended. `told` is what the proving program wrote. `outputs` are the differences of the cells' outputs.
/// Cells `without_cpp` are never wrong; what they leave different is no excuse for who reads it.
Faults wrong_cells(const RecordedCells& run, std::string_view told, const Faults& outputs,
                   const std::set<std::size_t>& without_cpp = {});

}  // namespace torchbook::cli
