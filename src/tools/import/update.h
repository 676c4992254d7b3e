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

/// Returns the cells of the current files as a draft, to be translated again. If port and twin do
/// not match, throws std::runtime_error, whose text begins with the file's name.
Draft old_draft(const OldFiles& files, std::string_view slug);

/// Returns port, twin and exceptions for the draft: a merge of each cell by its Python.
///
/// A cell whose Python has not changed keeps its Python, its exception, and the notes and restored
/// states above it. Its old Python is in the old twin, or in the comments of the old port. Its C++
/// is that of the draft, unless a person wrote it: then it stays. `base` is old_draft(), translated
/// now; C++ that differs from it was written by a person. Other cells are new. Throws as old_draft().
Updated update(const Draft& draft, const Draft& base, const OldFiles& files);

}  // namespace torchbook::importing
