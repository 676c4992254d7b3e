// Names the folders that tests read. Functions, not macros: an absolute path in a compile command or a header
// would keep a compiler cache from finding what was built in another folder.
#pragma once

#include <string>

namespace torchbook::test {

/// Returns the root of this source tree.
std::string source_folder();

/// Returns the folder of the programs of this build.
std::string bin_folder();

/// Returns the library that records operations.
std::string trace_library();

/// Returns the folder of the original documents, which may be missing.
std::string documents_folder();

/// Returns the file with the C++ of all modules that the differential test prints.
std::string module_classes();

}  // namespace torchbook::test
