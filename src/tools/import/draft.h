// Makes the files of a notebook from the result of its reader, and of a run.
#pragma once

#include <tools/import/source.h>
#include <tools/import/twin_text.h>

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::importing {

/// Statements that restore a state of the kernel that the notebook does not show.
struct RestoredState {
  std::string why;
  std::vector<std::string> cpp, python;
};

/// A cell, with the parts that go into twin, port and exceptions.
struct DraftCell {
  std::string label;
  std::vector<std::string> notes;  ///< what is between the cell before it and this one
  TwinSource twin;
  std::string exception;           ///< as in SourceCell
  std::string why;                 ///< why it is not ported yet; empty if it is, or needs no C++
  std::vector<std::string> cpp{};  ///< its lines in C++, if it is ported, or those above the line that raised
  std::vector<std::string> proved{};  ///< the same in the proving program, and what tells the values
  int raised_line = 0;                ///< as in SourceCell
  bool raises = false;                ///< as in SourceCell
  std::string taken_back{};           ///< why its translation was taken back; empty if it was not
  bool keeps_nothing = false;         ///< what was kept or carried of it was taken back, too
  std::vector<golden::AssignedShape> shapes{};  ///< of the tensors that it assigned when it was run
  std::optional<RestoredState> restored{};      ///< what is restored above it
};

/// A notebook, with the parts that go into its files.
struct Draft {
  std::string document{};  ///< the name of the notebook's file
  std::string folder{};    ///< where it lies; empty: the current folder
  golden::Golden golden{};
  std::vector<DraftCell> cells{};
  std::vector<std::string> last_notes{};  ///< those after the last cell
  std::vector<Remark> remarks{};          ///< what was not taken, in document order
  std::size_t notes = 0;                  ///< how many there are
  std::string proved{};  ///< the PyTorch with whose run the C++ was proved; empty if it was not
  /// What the port needs above its function: `#include <tuple>`, `using torch::indexing::Slice;`.
  std::set<std::string> needs{};
};

/// Returns what goes into the files of the notebook `slug`. `file` is the name of the notebook's file. Throws
/// ImportError if the notebook has no cell of code.
Draft draft_of(SourceNotebook notebook, std::string_view slug, std::string_view file);

/// Reads a notebook, as .ipynb or printed, and returns what goes into its files. Throws TextError if it
/// cannot be read.
Draft read_notebook(std::string_view text, std::string_view slug, std::string_view file);

/// Replaces the golden's outputs by those of a run of the twin, and names PyTorch as their source.
/// A cell that raised gets an exception and a remark. `run` has the draft's cells. `torch` is the
/// release: `PyTorch 1.13.1`.
/// The cell that did not end in time and those below it keep the outputs that are stored, and a remark says
/// so.
void take_run(Draft& draft, const golden::Golden& run, std::string_view torch);

/// Returns how many cells stand before the one that did not end in time; if all ended, how many there are.
std::size_t cells_that_ended(const golden::Golden& run);

/// Returns the text of the twin, which notebook::parse_twin() can read.
std::string twin_text(const Draft& draft);

/// Returns what restores the state above a cell of the twin, or of the port; empty if nothing does.
std::string restored_twin(const DraftCell& cell);
std::string restored_port(const DraftCell& cell);

/// Whether a cell has Python to be ported, and no exception says that it is not.
bool is_to_be_ported(const DraftCell& cell);

/// Returns a cell of the port, without the notes and restored states above it.
std::string port_cell(const DraftCell& cell);

/// Returns the text of the port. Cells without C++ are marked as not ported.
std::string port_text(const Draft& draft);

/// Returns whether a cell of a run displayed a value that Jupyter lays out by IPython, which Python lacked.
bool lacks_layout(const golden::GoldenCell& run);

/// Returns the text of the program that proves the port.
std::string proving_text(const Draft& draft);

/// Lets the comments `# axis x 0: the, cat` of the twin name the axes that the port names. Others get a
/// second space, so that the build takes them for plain comments, and a remark says so.
void match_axes(Draft& draft);

/// Removes all C++ of a draft, so that its port is a frame.
void make_frame(Draft& draft);

/// Returns the file of exceptions; empty if there are none.
std::string exceptions_text(const Draft& draft);

}  // namespace torchbook::importing
