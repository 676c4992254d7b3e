// Makes the twin of a notebook: its Python, cell by cell.
#pragma once

#include <torchbook/importing/python_guess.h>
#include <torchbook/importing/source.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::importing {

/// Some lines of a cell: the first ones, and how many there are. A cell can have millions.
struct FirstLines {
  std::vector<std::string> first{};
  std::size_t count = 0;

  void add(std::string_view line);
};

/// A cell's Python as it is in the twin.
struct TwinSource {
  std::string text;  ///< Python that Jupyter need not run; without empty lines at its end
  /// What stands as a comment now, because only Jupyter knows it: `%matplotlib inline`.
  FirstLines commented{};
  /// What stands without its magic now, because the Python in it sets names: `%time x = f()`.
  FirstLines timed{};
  std::string hidden_by{};  ///< the magic that hides the cell's outputs: `%%capture`; empty if there is none
  /// Why all of the cell is a comment, in words: `it is no Python: …`. Empty if it is not.
  std::string why_all{};
};

/// Returns a cell's Python without what only Jupyter knows: magics, shell commands and questions become
/// comments, and so does a cell of another language, or one that breaks off inside brackets or a string.
/// Prompts and an indentation of all lines are removed. `known` are the names of the cells above. A comment
/// that would begin a cell of the twin, such as `# %% [3]`, gets a second space. Takes linear time.
TwinSource twin_source(std::string_view python, const KnownNames& known = {});

/// Returns the cell as comments only. `why` is the result's why_all.
TwinSource as_comments(std::string_view python, std::string why);

/// Returns a cell of the twin: its heading, its Python and their newlines.
std::string twin_cell(std::string_view label, std::string_view python);

}  // namespace torchbook::importing
