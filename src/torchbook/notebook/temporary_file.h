// A file without a name.
#pragma once

#include <cstddef>
#include <string>

namespace torchbook::notebook {

/// A new file without a name. It is gone with this object, however the program ends.
class TemporaryFile {
 public:
  /// Throws a std::system_error if the folder for temporary files takes none.
  TemporaryFile();
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_; }
  /// Returns a path under which this process and its children can open it.
  std::string path() const;
  std::size_t size() const;
  /// Returns its bytes, at most the last `most`.
  std::string bytes(std::size_t most = std::string::npos) const;

 private:
  int descriptor_;
};

}  // namespace torchbook::notebook
