// Reads notebooks: cells with their Python and outputs, and texts.
#pragma once

#include <torchbook/golden/golden.h>
#include <torchbook/notebook/cells/text_error.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace torchbook::importing {

/// A notebook that cannot be imported.
struct ImportError : notebook::TextError {
  using TextError::TextError;
};

/// A cell of code, as the notebook holds it.
struct SourceCell {
  std::string python;        ///< its source, with magics and shell commands; lines end in a newline
  golden::GoldenCell shown;  ///< its position, its label, and its stored outputs
  /// Its exception, as in the file of exceptions: `picture`, or `not ported: it raised ValueError`;
  /// empty if there is none.
  std::string exception{};
  bool raises = false;  ///< whether LibTorch throws that error, too
  int raised_line = 0;  ///< the line that raised, from 1 on; 0 if none did or the notebook does not show it
  std::string why_no_python{};  ///< why the notebook says that the source is not Python
};

/// A text between the cells, in Markdown.
struct SourceText {
  std::string markdown;
};

/// A part of the notebook that is left out or changed.
struct Remark {
  std::size_t position;  ///< of the cell that it is in, or of the last cell before it
  std::string label;     ///< of that cell; empty for a text
  std::string what;      ///< the part, and how it is handled
};

/// A notebook as it was read.
struct SourceNotebook {
  std::vector<std::variant<SourceText, SourceCell>> items{};
  std::size_t cells = 0;  ///< how many of the items are cells
  std::string release{};  ///< the PyTorch that made the outputs; empty if the notebook does not show it
  std::vector<Remark> remarks{};  ///< in document order

  /// Appends a cell without outputs. Throws ImportError if the cell has a hundred thousand lines.
  SourceCell& add_cell(std::string label, std::string python);
  /// Finds the release in a cell that shows it: `torch.__version__` or `version("torch")`, with its output.
  void find_release(const SourceCell& cell);
  /// Numbers the cells as Jupyter does when it runs all of them, unless one has a number.
  void number_unrun_cells();
  void remark(const SourceCell& cell, std::string what);
  /// Adds a remark on a text at the current end of the notebook.
  void remark(std::string what);
};

/// Reads a notebook of nbformat 3 to 4.5, as Jupyter, Colab, VS Code and nbconvert write them. Takes its
/// stored outputs as Jupyter shows them. Throws TextError if the text is no such notebook, or too large.
SourceNotebook read_ipynb(std::string_view text);

/// Reads a printed notebook. A cell begins with a line `In [1]:`. Its parts are separated by empty
/// lines: its code, what it printed (with its own last newline), what it displayed, and the text
/// after it. No mark distinguishes the parts, so their contents decide. Throws ImportError if the
/// text has no cell or is not UTF-8.
SourceNotebook read_printed(std::string_view document);

/// Whether LibTorch throws where Python raises this error, on any machine: an error about devices depends on
/// the machine.
bool throws_in_libtorch(std::string_view error, std::string_view what);

/// Returns the release in a text that names PyTorch, such as `PyTorch 1.13 (GPU)`; empty if there is none.
std::string named_release(std::string_view text);

/// Returns a text of the notebook for a remark: the beginning of its first line.
std::string cited(std::string_view text);

}  // namespace torchbook::importing
