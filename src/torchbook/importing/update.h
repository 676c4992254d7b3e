// Carries what a person has written over to a changed notebook.
#pragma once

#include <torchbook/importing/draft.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::importing {

/// The files of a notebook as they stand, and their names for errors. A missing file of exceptions is empty.
struct OldFiles {
  std::string_view port, twin, exceptions;
  std::string port_name{}, twin_name{};
};

/// The files of a notebook that has changed, and what became of its cells.
struct Updated {
  std::string port{}, twin{}, exceptions{};
  std::size_t kept = 0, added = 0, removed = 0;
  /// `@3 In [7] is new`, `In [9] is removed`, in the order of the new notebook; removed cells come last.
  std::vector<std::string> changes{};
  bool loses_code = false;  ///< whether the old port has C++ that the new one lacks
};

/// Returns port, twin and exceptions for the draft. A cell whose Python has not changed keeps its C++, its
/// Python, its exception, and the notes and restored states above it. Its Python is that of the old twin or
/// that in the comments of the old port. Other cells are new and not ported. Throws std::runtime_error, whose
/// text begins with the file's name, if port and twin do not fit each other.
Updated update(const Draft& draft, const OldFiles& files);

}  // namespace torchbook::importing
