// A folder in which a notebook runs.
#pragma once

#include <filesystem>
#include <string>

namespace torchbook::cli {

/// A new folder with links to what lies beside a notebook, so that it finds its files, and the files that it
/// makes do not lie around. It lies in another one with links to what is above, as in `../data/names.txt`.
/// The destructor removes both.
class LinkedFolder {
 public:
  /// `folder` is that of the notebook. Throws UsageError if no folder can be made.
  explicit LinkedFolder(const std::string& folder);
  ~LinkedFolder();
  LinkedFolder(const LinkedFolder&) = delete;
  LinkedFolder& operator=(const LinkedFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::filesystem::path above_;
  std::string path_{};
};

}  // namespace torchbook::cli
