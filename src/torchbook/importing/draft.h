// Makes the files of a notebook out of what its reader found.
#pragma once

#include <torchbook/importing/source.h>
#include <torchbook/importing/twin_text.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::importing {

/// A cell as it goes into twin, port and exceptions.
struct DraftCell {
  std::string label;
  std::vector<std::string> notes;  ///< what stands between the cell before it and this one
  TwinSource twin;
  std::string exception;  ///< as in SourceCell
  std::string why;        ///< why it is not ported yet; empty if it needs no C++
};

/// A notebook as it goes into its files.
struct Draft {
  std::string document{};  ///< the name of the notebook's file
  golden::Golden golden{};
  std::vector<DraftCell> cells{};
  std::vector<std::string> last_notes{};  ///< those behind the last cell
  std::vector<Remark> remarks{};          ///< what was not taken, in document order
  std::size_t notes = 0;                  ///< how many there are
};

/// Returns what goes into the files of the notebook `slug`. `file` is the name of the notebook's file. Throws
/// ImportError if the notebook has no cell of code.
Draft draft_of(const SourceNotebook& notebook, std::string_view slug, std::string_view file);

/// Brings the remarks into document order. Those on one cell keep theirs.
void sort_remarks(Draft& draft);

/// Reads a notebook, as .ipynb or printed, and returns what goes into its files. Throws TextError if it
/// cannot be read.
Draft read_notebook(std::string_view text, std::string_view slug, std::string_view file);

/// Returns the twin. notebook::parse_twin() gives its cells back.
std::string twin_text(const Draft& draft);

/// Returns a port of which no cell is written yet.
std::string port_text(const Draft& draft);

/// Returns the file of exceptions; empty if there are none.
std::string exceptions_text(const Draft& draft);

}  // namespace torchbook::importing
