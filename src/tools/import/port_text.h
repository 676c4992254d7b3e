// Makes the frame of a port, which compiles as it is: its cells, each with its Python as a comment.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::importing {

/// Returns a cell's Python as C++ comments, each line indented by two; empty if there is no Python.
/// Changes lines that would continue on the next one, and characters that hide text.
std::string python_comment(std::string_view python);

/// Returns a cell of a port. `python` becomes a comment. `why` is the reason why it is not ported, or only in
/// part; empty if it is. `lines` are the part that exists, each with its indent.
std::string port_cell(std::string_view label, std::string_view python, std::string_view why,
                      const std::vector<std::string>& lines);

/// Returns notes as statements, each followed by an empty line; empty if there are no notes.
std::string port_notes(const std::vector<std::string>& notes);

/// Returns the statement that begins restored state.
std::string restored_statement(std::string_view why);

/// Returns the head of a new port, up to the first cell. `document` is the notebook's file. `proof` are
/// comments. `needs` are lines that include headers and lines that declare names.
std::string port_head(std::string_view slug, std::string_view document, std::string_view proof,
                      const std::set<std::string>& needs);

}  // namespace torchbook::importing
