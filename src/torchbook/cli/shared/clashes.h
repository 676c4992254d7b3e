// Keeps what is read and what is written apart.
#pragma once

#include <string>
#include <vector>

namespace torchbook::cli {

/// A file, and the option that names it.
struct NamedFile {
  const char* option;
  std::string path;  ///< empty, or `-`: none
};

/// Throws UsageError if a file that is written is also read, or would be written twice.
void refuse_clashes(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read);

}  // namespace torchbook::cli
