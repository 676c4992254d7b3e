// Maps large files into memory, without a copy.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::cli {

/// The content of a file. Only the parts that are accessed are read from the disk. The file must
/// not become shorter while this object lives.
class MappedFile {
 public:
  /// Throws UsageError with the name and the reason if the file cannot be read.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }

 private:
  std::string_view bytes_;
  std::string copy_;  // of a pipe, which cannot be mapped
};

}  // namespace torchbook::cli
