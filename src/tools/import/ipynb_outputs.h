// Reads the stored outputs of a notebook's cell.
#pragma once

#include <tools/import/ipynb_json.h>
#include <tools/import/source.h>

namespace torchbook::importing {

/// Adds an output of nbformat 3 or 4 to `cell`, the last cell of the notebook. Output that C++
/// cannot print gets a remark, and may become an exception of the cell. Throws ImportError if a
/// field of the output has the wrong type.
void take_output(const Part& output, SourceNotebook& notebook, SourceCell& cell);

/// Converts the cell's outputs to the form that Jupyter shows. Call it after the last
/// take_output().
void finish_outputs(SourceNotebook& notebook, SourceCell& cell);

}  // namespace torchbook::importing
