// Reads and checks the twins that `torchbook compare` runs.
#pragma once

#include <torchbook/notebook/cells/twin.h>
#include <torchbook/notebook/ported_notebook.h>

#include <string>
#include <vector>

namespace torchbook::cli {

/// A twin that is ready to run.
struct Twin {
  std::string file;  ///< the name of its file in messages
  std::vector<notebook::TwinCell> cells;
  std::string trace{};        ///< the file that gets the trace of its run; empty: none
  bool tells_shapes = false;  ///< whether its run tells the shapes of the tensors that it assigns
  /// The files that get what its cells leave in their names (carry.py); empty: none.
  std::string carried_values{}, carried_types{};
};

/// Returns the twin of a notebook: `FOLDER/SLUG.py`, or the built-in one if `folder` is empty. If
/// there is no twin, or if its cells differ from the notebook's, throws UsageError with file and
/// line.
Twin twin_of(const notebook::PortedNotebook& notebook, const std::string& folder);

}  // namespace torchbook::cli
