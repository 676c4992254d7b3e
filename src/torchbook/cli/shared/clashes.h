// Detects files that would be both read and written.
#pragma once

#include <string>
#include <vector>

namespace torchbook::cli {

/// A file, and the option that names it.
struct NamedFile {
  const char* option;
  std::string path;  ///< empty, or `-`: none
};

/// Throws UsageError if a file would be both written and read, or written twice.
void refuse_clashes(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read);

}  // namespace torchbook::cli
