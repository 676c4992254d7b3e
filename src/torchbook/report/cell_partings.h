// Tells each cell of a notebook that differs from its twin which operations are the reason.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/part/trace_file.h>

namespace torchbook::report {

/// Compares the traces of a run and of its twin, which have the marks of notebook.h. Gives each judged cell
/// that is not equal its partings: the differences that arise in the cell, then those of earlier cells that
/// have an effect in it. A difference is told whole by the first of its cells. If there are none of either,
/// says that only the texts differ.
void tell_partings(golden::JudgedTranscript& judged, const part::Trace& here, const part::Trace& there,
                   const part::Texts& texts);

}  // namespace torchbook::report
