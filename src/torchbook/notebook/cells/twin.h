// The cells of a twin, read from its text.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::notebook {

/// What does not fit in a text: its line, and in one line what is wrong and what would be right.
struct TextError : std::runtime_error {
  TextError(std::size_t line, const std::string& what);
  std::size_t line;
};

/// A cell of a twin, or a restored state of it.
struct TwinCell {
  bool restored = false;  ///< `# %% [restored] …`
  std::string label;      ///< empty for a restored state
  std::string source;     ///< without empty lines at its end
  std::size_t line = 0;   ///< of its first line of code (the one below the heading), from 1
};

/// Reads the percent format; `# %% [markdown]` cells are skipped. Throws TextError.
std::vector<TwinCell> parse_twin(std::string_view text);

}  // namespace torchbook::notebook
