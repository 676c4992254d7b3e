// Fuzzes the reader of checkpoints. It reads files, so the bytes become one that has no name.
#include <sys/mman.h>
#include <torchbook/training/checkpoint.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int file = memfd_create("checkpoint", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
  try {
    torchbook::load(path);
  } catch (const std::runtime_error& error) {
    const std::string_view what = error.what();
    if (!what.starts_with(path + ": ") || what.find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
