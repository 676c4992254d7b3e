// Makes the twin of a notebook: its Python, cell by cell.
#pragma once

#include <tools/import/python_guess.h>
#include <tools/import/source.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::importing {

/// The first of some lines of a cell, and their total number. A cell can have millions.
struct FirstLines {
  std::vector<std::string> first{};
  std::size_t count = 0;

  void add(std::string_view line);
};

/// A cell's Python as it is in the twin.
struct TwinSource {
  std::string text;  ///< Python that Jupyter need not run; without empty lines at its end
  /// Lines that became comments, because only Jupyter understands them: `%matplotlib inline`.
  FirstLines commented{};
  /// Lines that lost their magic but keep its Python: `%time x = f()`.
  FirstLines timed{};
  std::string hidden_by{};  ///< the magic that hides the cell's outputs: `%%capture`; empty if there is none
  /// Why the whole cell is a comment: `it is not Python: …`; empty if it is not.
  std::string why_all{};
};

/// Returns a cell's Python without Jupyter's extensions. Magics, shell commands and questions
/// become comments. So does a whole cell in another language, or one with an unclosed bracket or
/// string. Prompts and common indentation are removed. A comment that would begin a cell of the
/// twin, such as `# %% [3]`, gets a second space. `known` has the names of the cells above. Takes
/// linear time.
TwinSource twin_source(std::string_view python, const KnownNames& known = {});

/// Returns the whole cell as comments. `why` becomes `why_all` of the result.
TwinSource as_comments(std::string_view python, std::string why);

/// Returns a cell of the twin: its heading and its Python, each with a newline.
std::string twin_cell(std::string_view label, std::string_view python);

}  // namespace torchbook::importing
