#include <torchbook/training/output_file.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <system_error>

namespace torchbook::training {

OutputFile::OutputFile(const std::filesystem::path& path) : path_(path), temporary_(path) {
  static std::atomic<unsigned> count = 0;  // several threads may write to one path
  temporary_ += ".part" + std::to_string(getpid()) + "-" + std::to_string(count++);
  errno = 0;
  stream_.open(temporary_, std::ios::binary);
  if (!stream_) error_ = errno;
  require_success();
}

OutputFile::~OutputFile() {
  std::error_code ignored;
  std::filesystem::remove(temporary_, ignored);
}

void OutputFile::require_success() {
  if (error_ == 0 && stream_) return;
  throw std::runtime_error("cannot be written: " + std::generic_category().message(error_));
}

void OutputFile::write(const void* bytes, std::size_t count) {
  errno = 0;
  if (stream_ && !stream_.write(static_cast<const char*>(bytes), static_cast<std::streamsize>(count)))
    error_ = errno;
}

void OutputFile::close() {
  errno = 0;
  stream_.close();
  if (error_ == 0 && (!stream_ || std::rename(temporary_.c_str(), path_.c_str()) != 0)) error_ = errno;
  require_success();
}

}  // namespace torchbook::training
