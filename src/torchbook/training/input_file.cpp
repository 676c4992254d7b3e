#include <torchbook/training/input_file.h>

#include <bit>
#include <cerrno>
#include <system_error>

static_assert(std::endian::native == std::endian::little,
              "checkpoints have the byte order of little-endian machines");

namespace torchbook::training {

void damaged(const std::string& what) { throw std::runtime_error(what + " is damaged"); }

InputFile::InputFile(const std::filesystem::path& path) {
  std::error_code error;
  size_ = std::filesystem::file_size(path, error);  // fails for folders
  errno = 0;
  if (!error) stream_.open(path, std::ios::binary);
  if (!error && !stream_) error = {errno, std::generic_category()};
  if (error) throw std::runtime_error("cannot be read: " + error.message());
}

void InputFile::read(std::uint64_t offset, std::uint64_t count, void* to) {
  if (offset > size_ || count > size_ - offset) throw CutOff();
  errno = 0;
  stream_.seekg(static_cast<std::streamoff>(offset));
  stream_.read(static_cast<char*>(to), static_cast<std::streamsize>(count));
  if (!stream_) throw std::runtime_error("cannot be read: " + std::generic_category().message(errno));
}

std::string InputFile::bytes(std::uint64_t offset, std::uint64_t count) {
  if (count > size_) throw CutOff();
  std::string bytes(count, '\0');
  read(offset, count, bytes.data());
  return bytes;
}

}  // namespace torchbook::training
