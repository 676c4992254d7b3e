// Tells what becomes of the parts of a cell that only Jupyter knows.
#pragma once

#include <torchbook/importing/source.h>
#include <torchbook/importing/twin_text.h>

#include <string>
#include <vector>

namespace torchbook::importing {

/// Whether a cell's Python has anything but comments and empty lines.
bool has_code(std::string_view python);

/// Returns what is to be listed of a cell: its commands, a few of very many. `known` are the names of the
/// cells above; the cell's names are added.
std::vector<std::string> jupyter_remarks(const TwinSource& twin, KnownNames& known);

/// Returns the exception of a cell whose output comes from what only Jupyter knows; empty if none does.
std::string jupyter_exception(const golden::GoldenCell& shown, const TwinSource& twin);

}  // namespace torchbook::importing
