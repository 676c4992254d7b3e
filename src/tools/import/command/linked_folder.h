// A folder in which a notebook runs.
#pragma once

#include <torchbook/cli/system/files.h>

#include <string>

namespace torchbook::cli {

/// A new folder with links to what lies beside a notebook, so that it finds its files, and the files that it
/// makes do not lie around. It lies in another one with links to what is above, as in `../data/names.txt`.
/// Both are gone with this object.
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
