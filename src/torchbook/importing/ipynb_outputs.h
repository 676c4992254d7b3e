// Takes the stored outputs of a notebook's cell.
#pragma once

#include <torchbook/importing/ipynb_json.h>
#include <torchbook/importing/source.h>

namespace torchbook::importing {

/// Adds what an output of nbformat 3 or 4 shows to the cell at the end of the notebook. What C++ cannot print
/// is listed, and may be an exception of the cell. Throws ImportError if the output has fields of other
/// types.
void take_output(const Part& output, SourceNotebook& notebook, SourceCell& cell);

/// Gives the cell's outputs, all of which were taken, the form in which Jupyter shows them.
void finish_outputs(SourceNotebook& notebook, SourceCell& cell);

}  // namespace torchbook::importing
