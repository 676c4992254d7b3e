// Knows the lines of a notebook that are Jupyter's and not Python's: magics, shell commands and questions.
#pragma once

#include <torchbook/importing/python_guess.h>

#include <optional>
#include <string>
#include <string_view>

namespace torchbook::importing {

/// Returns whether a statement that begins on this line is one of Jupyter, and not of Python. `alone` says
/// that the cell has no other line: only then does Jupyter take `ls` for `%ls`. `known` are names of the
/// notebook, which come before those of magics.
bool is_jupyters(std::string_view line, bool alone, const KnownNames& known);

/// Returns the Python that a line of Jupyter runs and whose names stay, with the line's indentation:
/// `x = f()` of `%time x = f()`. Returns nullopt if there is none.
std::optional<std::string> timed_python(std::string_view line);

/// What Jupyter does with a cell that begins with `%%name`.
enum class CellMagic {
  none,      ///< the line is no magic for a cell
  runs,      ///< runs the cell's Python in the notebook: `%%time`
  discards,  ///< runs the cell's Python, but no name stays: `%%timeit`
  hides,     ///< runs the cell's Python and shows no output: `%%capture`
  other,     ///< the cell is no Python: `%%bash`
};

/// Returns what the first line of a cell makes of it.
CellMagic cell_magic(std::string_view line);

}  // namespace torchbook::importing
