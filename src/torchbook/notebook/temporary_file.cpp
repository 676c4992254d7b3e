#include <torchbook/notebook/temporary_file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace torchbook::notebook {

TemporaryFile::TemporaryFile() {
  const char* folder = std::getenv("TMPDIR");
  auto name = std::string(folder == nullptr || *folder == '\0' ? "/tmp" : folder) + "/torchbook-XXXXXX";
  descriptor_ = ::mkstemp(name.data());  // it stays open in a program that this one becomes
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "cannot make " + name);
  ::unlink(name.c_str());
}

TemporaryFile::~TemporaryFile() { ::close(descriptor_); }

std::string TemporaryFile::path() const {
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(descriptor_);
}

std::size_t TemporaryFile::size() const { return std::filesystem::file_size(path()); }

std::string TemporaryFile::bytes(std::size_t most) const {
  const auto whole = size();
  std::string bytes(std::min(whole, most), '\0');
  std::ifstream stream(path(), std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(whole - bytes.size()));
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

}  // namespace torchbook::notebook
