#include <sys/mman.h>
#include <sys/stat.h>
#include <torchbook/notebook/memory_file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace torchbook::notebook {
namespace {

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace

MemoryFile::MemoryFile() : descriptor_(memfd_create("torchbook", MFD_CLOEXEC)) {
  if (descriptor_ < 0) fail("no file in memory");
}

MemoryFile::~MemoryFile() { close(descriptor_); }

std::string MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

std::string MemoryFile::bytes() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) fail("a file in memory has no size");
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t have = 0;
  while (have < bytes.size()) {
    const auto count = pread(descriptor_, bytes.data() + have, bytes.size() - have, static_cast<off_t>(have));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail("a file in memory cannot be read");
    have += static_cast<std::size_t>(count);
  }
  return bytes;
}

}  // namespace torchbook::notebook
