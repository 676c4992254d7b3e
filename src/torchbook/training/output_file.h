// Writes a file that appears under its name once it is complete.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>

namespace torchbook::training {

class OutputFile {
 public:
  /// Creates a temporary file beside `path`.
  explicit OutputFile(const std::filesystem::path& path);

  /// Removes the temporary file.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Appends bytes. An error shows in close().
  void write(const void* bytes, std::size_t count);

  /// Renames the temporary file to `path`. Throws std::runtime_error if any byte could not be written.
  void close();

 private:
  void require_success();

  std::filesystem::path path_, temporary_;
  std::ofstream stream_;
  int error_ = 0;
};

}  // namespace torchbook::training
