#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <torchbook/cli/system/descriptor.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/cli/system/mapped_file.h>

namespace torchbook::cli {
namespace {

constexpr std::size_t most_of_a_pipe = std::size_t{1} << 30;

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (file.open() && ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (at != MAP_FAILED) {
      bytes_ = {static_cast<const char*>(at), size};
      return;
    }
  }
  copy_ = read_file(path, most_of_a_pipe);
  bytes_ = copy_;
}

MappedFile::~MappedFile() {
  if (bytes_.data() != copy_.data()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace torchbook::cli
