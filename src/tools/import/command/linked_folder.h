#pragma once

#include <torchbook/cli/system/files.h>

#include <string>

namespace torchbook::cli {

/// A temporary folder in which a notebook runs. It has links to the files beside the notebook, and files that
/// the notebook writes end with it. Its parent, also temporary, has links to the parent's entries, for paths
/// such as `../data/names.txt`.
class LinkedFolder {
 public:
  /// `folder` is that of the notebook. Throws UsageError if no folder can be made.
  explicit LinkedFolder(const std::string& folder);

  const std::string& path() const { return path_; }

 private:
  TemporaryFolder above_;
  std::string path_{};
};

}  // namespace torchbook::cli
