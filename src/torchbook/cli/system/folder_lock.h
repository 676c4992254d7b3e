// Lets only one process at a time change or build a project.
#pragma once

#include <torchbook/cli/system/descriptor.h>

#include <string>

namespace torchbook::cli {

/// Locks a folder against other processes that use this class, while the object lives. If the
/// folder does not exist, or its file system has no locks, nothing is locked.
class FolderLock {
 public:
  /// Waits until no other process has the lock, and says so on stderr if that takes long.
  explicit FolderLock(const std::string& folder);

 private:
  Descriptor folder_;
};

}  // namespace torchbook::cli
