// Cleans a cell as Jupyter does before Python reads it, and recognizes the lines that Python does not read:
// magics, shell commands and questions.
#pragma once

#include <tools/import/python_guess.h>

#include <optional>
#include <string>
#include <string_view>

namespace torchbook::importing {

/// Returns a cell's Python as Jupyter passes it to Python. Lines end in `\n`; `\r\n` and `\r`, which
/// Python also accepts, become that. Removes leading empty
/// lines, the first line's indentation from all lines, and prompts (`>>> `, `... `, `In [1]: `).
/// Takes linear time.
std::string python_cell(std::string_view source);

/// Returns whether the statement that begins on this line is Jupyter's and not Python's. `alone`
/// says that the cell has no other line: only then does Jupyter read `ls` as `%ls`. `known` are the
/// notebook's own names, which take precedence over magics.
bool is_jupyters(std::string_view line, bool alone, const KnownNames& known);

/// Returns the Python that a line of Jupyter runs in the notebook, such as `x = f()` of `%time x = f()`, with
/// the line's indentation; nullopt if there is none.
std::optional<std::string> timed_python(std::string_view line);

/// What Jupyter does with a cell that begins with `%%name`.
enum class CellMagic {
  none,      ///< the line is no magic for a cell
  runs,      ///< runs the cell's Python in the notebook: `%%time`
  discards,  ///< runs the cell's Python, but no name stays: `%%timeit`
  hides,     ///< runs the cell's Python and shows no output: `%%capture`
  other,     ///< the cell is not Python: `%%bash`
};

/// Returns the kind of magic in the first line of a cell.
CellMagic cell_magic(std::string_view line);

}  // namespace torchbook::importing
