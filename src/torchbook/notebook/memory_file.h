// A file without a name, in memory.
#pragma once

#include <string>

namespace torchbook::notebook {

/// A file in memory. It is gone with this object, however the program ends.
class MemoryFile {
 public:
  /// Throws a std::system_error if the system has none.
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// Returns the path under which this process opens it.
  std::string path() const;

  /// Returns its bytes. Throws a std::system_error if they cannot be read.
  std::string bytes() const;

 private:
  int descriptor_;
};

}  // namespace torchbook::notebook
