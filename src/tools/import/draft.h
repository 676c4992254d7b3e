// Makes the files of a notebook from its source and a run.
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

/// Statements that restore hidden state of the kernel.
struct RestoredState {
  std::string why;
  std::vector<std::string> cpp, python;
};

/// A cell, with the parts that go into twin, port and exceptions.
struct DraftCell {
  std::string label;
  std::vector<std::string> notes;  ///< the text between the previous cell and this one
  TwinSource twin;
  std::vector<std::string> words{};   ///< comments of the twin that import added: `# words ids: cat, mat`
  std::string exception;              ///< as in SourceCell
  std::string why;                    ///< why it is not ported yet; empty if it is, or needs no C++
  std::vector<std::string> cpp{};     ///< its C++, if it is ported, or the lines above the one that raised
  std::vector<std::string> proved{};  ///< its C++ in the proving program, with reports of the values
  int raised_line = 0;                ///< as in SourceCell
  bool raises = false;                ///< as in SourceCell
  std::string error{};                ///< what Python said there, in one line
  std::set<std::string> limits{};     ///< what its C++ does otherwise than Python, as in translate::CellPort
  std::string taken_back{};           ///< why its translation was taken back; empty if it was not
  std::string varies{};               ///< what two runs of its Python do not have in common; may be empty
  bool is_owners = false;             ///< whether an update keeps C++ that a person wrote
  bool keeps_nothing = false;         ///< kept statements and carried values were taken back, too
  std::vector<golden::AssignedShape> shapes{};  ///< of the tensors that it assigned when it was run
  std::optional<RestoredState> restored{};      ///< the state restored above it
};

/// A notebook, with the parts that go into its files.
struct Draft {
  std::string document{};  ///< the name of the notebook's file
  std::string folder{};    ///< its folder; empty: the current one
  golden::Golden golden{};
  std::vector<DraftCell> cells{};
  std::vector<std::string> last_notes{};  ///< those after the last cell
  std::vector<Remark> remarks{};          ///< parts left out or changed, in document order
  std::size_t notes = 0;                  ///< how many there are
  std::string proved{};                   ///< the PyTorch whose run proved the C++; empty without a proof
  /// Lines that the port needs above its function: `#include <tuple>`, `using torch::indexing::Slice;`.
  std::set<std::string> needs{};
};

/// Returns the draft of the notebook `slug`. `file` is the name of the notebook's file. Throws ImportError if
/// the notebook has no cell of code.
Draft draft_of(SourceNotebook notebook, std::string_view slug, std::string_view file);

/// Reads a notebook, as .ipynb or printed, and returns its draft. Throws TextError if it cannot be read.
Draft read_notebook(std::string_view text, std::string_view slug, std::string_view file);

/// Replaces the golden's outputs by those of a run of the twin, and names PyTorch as their source. A cell
/// that raised gets an exception and a remark. `run` has the draft's cells. `torch` is the release:
/// `PyTorch 1.13.1`. A cell that did not end in time and those below it keep their stored outputs, and get a
/// remark.
void take_run(Draft& draft, const golden::Golden& run, std::string_view torch);

/// Returns the number of cells before the one that did not end in time, or of all cells.
std::size_t cells_that_ended(const golden::Golden& run);

/// Returns the first line of the twin, without its newline.
std::string twin_title(const Draft& draft);

/// Returns the text of the twin, which notebook::parse_twin() can read.
std::string twin_text(const Draft& draft);

/// Returns the statements of twin or port that restore a state above a cell; empty if there are none.
std::string restored_twin(const DraftCell& cell);
std::string restored_port(const DraftCell& cell);

/// Whether a cell has Python to be ported, and no exception says that it is not.
bool is_to_be_ported(const DraftCell& cell);

/// Returns a cell of the port, without the notes and restored states above it.
std::string port_cell(const DraftCell& cell);

/// Returns the text of the port above its first cell.
std::string port_head(const Draft& draft);

/// Returns the text of the port. Cells without C++ are marked as not ported.
std::string port_text(const Draft& draft);

/// Returns whether a cell of a run displayed a value that needs IPython for its layout, and Python lacked it.
bool lacks_layout(const golden::GoldenCell& run);

/// Returns the text of the program that proves the port.
std::string proving_text(const Draft& draft);

/// Keeps the comments `# axis x 0: the, cat` of the twin only for axes that the port names. Others get a
/// second space, which makes them plain comments for the build, and a remark.
void match_axes(Draft& draft);

/// Removes all C++ of a draft, so that its port is a frame.
void make_frame(Draft& draft);

/// Returns the file of exceptions; empty if there are none.
std::string exceptions_text(const Draft& draft);

}  // namespace torchbook::importing
