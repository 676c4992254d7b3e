// A cell's source as a transcript shows it: in C++, in PyTorch, or both.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace torchbook {

/// Which source of a cell a report shows.
enum class Sources {
  none,
  cpp,     ///< the port's
  python,  ///< its PyTorch twin's
  both,
};

inline bool shows_cpp(Sources sources) { return sources == Sources::cpp || sources == Sources::both; }
inline bool shows_python(Sources sources) { return sources == Sources::python || sources == Sources::both; }

/// How sources look.
struct SourceStyle {
  Sources shown = Sources::cpp;
  bool colour = false;    ///< syntax highlighted, with ANSI colours
  std::size_t width = 0;  ///< where both fit into so many columns they stand side by side
};

/// The sources of a cell, or of a restored state, indented; both have headings.
std::string source_text(std::string_view cpp, std::string_view python, const SourceStyle& style);

}  // namespace torchbook
