// Builds the port of one notebook in the project that it belongs to.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::cli {

/// A project of CMake, and the folder in which it is built.
struct Project {
  std::string source{}, build{};
};

/// Returns the project whose CMakeLists.txt is that of `folder`, or the nearest one above it that calls
/// `project`; nullopt if there is none. It is built where this program was, if that is a build of the same
/// project, otherwise in its folder `build`.
std::optional<Project> project_of(const std::string& folder);

/// Returns the shell command that builds and checks a notebook of the project.
std::string build_command(const Project& project, const std::string& slug);

/// What became of a build.
struct BuiltPort {
  std::string program{};             ///< the notebook's executable; empty if there is none
  std::string why_not{};             ///< why there is none: one line
  bool refused = false;              ///< whether the compiler, or the reader of the cells, refused the port
  std::vector<std::size_t> lines{};  ///< those of the port in which the compiler found errors
};

/// Configures the project, unless that has been done, and builds the executable of one notebook, and nothing
/// else. What CMake and the compiler say is kept in the build folder if they fail, in a file that `why_not`
/// names. Calls `tick` every second; what it throws ends the build.
BuiltPort build_port(
    const Project& project, const std::string& slug, const std::function<void()>& tick = [] {});

}  // namespace torchbook::cli
