// Locks the folder itself, so that no lock file is needed. The system releases the lock when the
// process ends.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <torchbook/cli/system/child.h>
#include <torchbook/cli/system/folder_lock.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace torchbook::cli {

FolderLock::FolderLock(const std::string& folder)
    : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  constexpr int looks_in_a_second = 20;
  for (int looks = 1; ::flock(folder_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK; ++looks) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1000 / looks_in_a_second));
    if (looks % looks_in_a_second == 0) {
      tell_waiting(std::chrono::seconds(looks / looks_in_a_second),
                   fmt::format("another import into {}", folder));
    }
  }
}

}  // namespace torchbook::cli
