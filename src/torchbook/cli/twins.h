// The twins that `torchbook compare` runs, read from their files and checked.
#pragma once

#include <torchbook/notebook/cells/twin.h>
#include <torchbook/notebook/ported_notebook.h>

#include <string>
#include <vector>

namespace torchbook::cli {

/// A twin, ready to run.
struct Twin {
  std::string file;  ///< its name in messages
  std::vector<notebook::TwinCell> cells;
};

/// Returns the twin of a notebook: `FOLDER/SLUG.py`, or the one built in if the folder is empty. Throws
/// UsageError, which names file and line, if there is none, or if it has other cells than the notebook.
Twin twin_of(const notebook::PortedNotebook& notebook, const std::string& folder);

}  // namespace torchbook::cli
