// Describes how the import handles the parts of a cell that only Jupyter understands.
#pragma once

#include <tools/import/source.h>
#include <tools/import/twin_text.h>

#include <string>
#include <vector>

namespace torchbook::importing {

/// Returns whether a cell's Python has more than comments and empty lines.
bool has_code(std::string_view python);

/// Returns the remarks on a cell's Jupyter commands; of very many, only the first ones. `known` has
/// the names of the cells above; the names of this cell are added.
std::vector<std::string> jupyter_remarks(const TwinSource& twin, KnownNames& known);

/// Returns the exception of a cell whose output depends on Jupyter; empty if it does not.
std::string jupyter_exception(const golden::GoldenCell& shown, const TwinSource& twin);

}  // namespace torchbook::importing
