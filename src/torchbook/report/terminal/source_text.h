// Writes a cell's source as a transcript shows it: in C++, in PyTorch, or both.
#pragma once

#include <torchbook/report/sources.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace torchbook::report {

/// How sources look.
struct SourceStyle {
  Sources shown = Sources::cpp;
  bool colour = false;    ///< the syntax is highlighted with ANSI colours
  std::size_t width = 0;  ///< if both sources fit into so many columns, they stand side by side
};

/// Returns the sources of a cell or of a restored state, indented. If both are shown, they have headings.
std::string source_text(std::string_view cpp, std::string_view python, const SourceStyle& style);

}  // namespace torchbook::report
