// The files that an import makes or changes.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace torchbook::cli {

/// A file to be written. `before` is the old text, or nullopt if there is no such file.
struct NewFile {
  std::string path;
  std::optional<std::string> before{};
  std::string text{};
};

/// The files of a notebook.
struct NotebookFiles {
  NewFile golden, twin, port, exceptions, carried;
  std::optional<NewFile> lost{};  ///< the old port, if C++ of it is removed

  std::vector<NewFile*> all() { return {&golden, &twin, &port, &exceptions, &carried}; }
};

/// Returns whether the path exists, even as a dangling symbolic link.
bool exists(const std::string& path);

/// Returns the file that keeps the C++ of removed cells. Throws UsageError if there is one already.
NewFile original_file(const NewFile& port);

/// Writes the files that change, and returns their names. If one cannot be written, removes those
/// that did not exist before, and throws UsageError.
std::vector<std::string> write_files_or_none(const std::vector<NewFile>& files);

}  // namespace torchbook::cli
