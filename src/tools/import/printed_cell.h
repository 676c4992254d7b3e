// Divides a cell of a printed notebook into code, outputs and the text after them.
#pragma once

#include <tools/import/python_guess.h>

#include <optional>
#include <string>
#include <string_view>

namespace torchbook::importing {

/// The parts of a cell of a printed notebook.
struct PrintedCell {
  std::string code{};
  std::string out{};
  std::optional<std::string> result{};
  std::string text{};     ///< the Markdown after the outputs
  std::string error{};    ///< the last line of an error's traceback; empty if there is none
  std::string picture{};  ///< the text in place of a picture: `<Figure size 640x480 with 1 Axes>`
};

/// Divides the text between the line `In [1]:` and the next cell, without the empty line and the newline
/// before that. `known` are the names of the cells before it; those of this cell are added. `last` says
/// whether the document ends here, where an output may have lost its last newline. Takes linear time.
PrintedCell divide_cell(std::string_view text, bool last, KnownNames& known);

}  // namespace torchbook::importing
