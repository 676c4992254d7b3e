// Merges the hand-written parts of a port into the files of a changed notebook.
#pragma once

#include <tools/import/draft.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::importing {

/// The current files of a notebook, and their names for error messages. The text of a missing file
/// of exceptions is empty.
struct OldFiles {
  std::string_view port, twin, exceptions;
  std::string port_name{}, twin_name{};
};

/// The new files of a changed notebook, and the changes of its cells.
struct Updated {
  std::string port{}, twin{}, exceptions{};
  std::size_t kept = 0, added = 0, removed = 0;
  /// `@3 In [7] is new`, `In [9] is removed`, in the order of the new notebook; removed cells come last.
  std::vector<std::string> changes{};
  std::set<std::size_t> written{};  ///< the positions of the cells whose C++ a person wrote
  bool loses_code = false;          ///< whether C++ that a person wrote was in a cell that is removed
};

/// Returns the text of the twin, with a hash of each part of port and exceptions that import writes, by which
/// update() knows what a person wrote.
std::string marked_twin(const Draft& draft);

/// Returns port, twin and exceptions for the draft: those of a first import, but for what a person wrote.
///
/// C++ that a person wrote stays, with its exception, above the cell with the same Python, which may also be
/// in the comments above that C++. So do notes and restored states above a cell, the text above the first
/// cell and after the last one, and exceptions. All else is the draft's. If port and twin do not match,
/// throws std::runtime_error, whose text begins with the file's name.
Updated update(const Draft& draft, const OldFiles& files);

}  // namespace torchbook::importing
