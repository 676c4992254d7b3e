// Returns the version of pyrepr, and the PyTorch release whose text it prints.
#pragma once

#include <string_view>

/// The version of these headers, by semantic versioning. CMakeLists.txt reads it from these three lines.
#define TORCHBOOK_PYREPR_VERSION_MAJOR 1
#define TORCHBOOK_PYREPR_VERSION_MINOR 1
#define TORCHBOOK_PYREPR_VERSION_PATCH 0

/// The version as a string literal: "1.1.0".
#define TORCHBOOK_PYREPR_VERSION                                                               \
  TORCHBOOK_PYREPR_DETAIL_JOIN(TORCHBOOK_PYREPR_VERSION_MAJOR, TORCHBOOK_PYREPR_VERSION_MINOR, \
                               TORCHBOOK_PYREPR_VERSION_PATCH)
#define TORCHBOOK_PYREPR_DETAIL_JOIN(major, minor, patch) \
  TORCHBOOK_PYREPR_DETAIL_TEXT(major)                     \
  "." TORCHBOOK_PYREPR_DETAIL_TEXT(minor) "." TORCHBOOK_PYREPR_DETAIL_TEXT(patch)
#define TORCHBOOK_PYREPR_DETAIL_TEXT(number) #number

#pragma GCC visibility push(default)
namespace torchbook::pyrepr::inline v1 {

/// Returns the version of the library that the program runs with. It differs from TORCHBOOK_PYREPR_VERSION if
/// the program was compiled against the headers of another version.
std::string_view version();

/// Returns the release of PyTorch whose text is printed, such as "1.13". It is the release of the
/// LibTorch that the library was compiled against.
std::string_view pytorch_release();

}  // namespace torchbook::pyrepr::inline v1
#pragma GCC visibility pop
