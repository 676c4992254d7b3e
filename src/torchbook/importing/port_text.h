// Makes the frame of a port: flat cells, each with its Python above it, that build at once.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::importing {

/// Returns a cell's Python as comments of C++, each line with an indent of two. Lines that would go on in the
/// next one, or hide what they are, are changed. Empty if the Python is.
std::string python_comment(std::string_view python);

/// Returns a cell of a port that is not written yet, or not whole. `why` says why not. `lines` are what there
/// is of it.
std::string port_cell(std::string_view label, std::string_view python, std::string_view why,
                      const std::vector<std::string>& lines = {});

/// Returns notes as statements, with an empty line after each of them. Empty if there are none.
std::string port_notes(const std::vector<std::string>& notes);

/// Returns the statement that begins restored state.
std::string restored_statement(std::string_view why);

/// Returns a cell of a port that is written: its lines, each with its indent.
std::string written_cell(std::string_view label, const std::vector<std::string>& lines);

/// Returns what is above the first cell of a new port. `document` is the notebook's file. `needs` are
/// lines that include headers and lines that declare names.
std::string port_head(std::string_view slug, std::string_view document, const std::set<std::string>& needs);

}  // namespace torchbook::importing
