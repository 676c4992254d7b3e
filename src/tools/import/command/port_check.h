// Runs the port of an imported notebook, and reports the result of each cell.
#pragma once

#include <torchbook/cli/system/exit.h>
#include <torchbook/golden/golden.h>

#include <cstddef>
#include <map>
#include <string>

namespace torchbook::cli {

/// The result of a port's own check.
struct CheckedPort {
  std::string report{};  ///< a line for each cell that is not equal, and the summary
  ExitCode code = exit_equal;
  std::string why_not{};                        ///< why there is no report; empty if there is one
  std::map<std::size_t, std::string> thrown{};  ///< the errors that cells threw, by their positions
  std::map<std::size_t, std::string>
      different{};          ///< how the outputs of other cells differ, in a sentence, by their positions
  std::size_t endless = 0;  ///< the position of a cell that did not end; 0 if all did
};

/// Runs a notebook's executable for at most `seconds`. `golden` has the notebook's cells. A cell that is not
/// ported is no failure; otherwise the code is that of the executable's own check. The report leaves such
/// cells out unless it `tells_reasons`. A proving program runs in `folder`, and appends the values of names
/// to the file `proof`.
CheckedPort check_port(const std::string& program, const golden::Golden& golden, int seconds,
                       bool tells_reasons = true, const std::string& folder = ".",
                       const std::string& proof = {});

}  // namespace torchbook::cli
