// Builds the port of one notebook in the project that it belongs to.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::cli {

/// A CMake project and its build folder.
struct Project {
  std::string source{}, build{};
};

/// Returns the CMake project that `folder` belongs to: the nearest folder, from `folder` upwards,
/// whose CMakeLists.txt calls `project`. Returns nullopt if there is none. Its build folder is the
/// one that contains this program, if it was built there, otherwise its subfolder `build`.
std::optional<Project> project_of(const std::string& folder);

/// Returns the project that proves ports which belong to no project: that of the build folder which contains
/// this program, or else one in the user's cache, which is written if it is missing. Throws UsageError if it
/// cannot be written.
Project own_project();

/// Returns the shell command that builds and checks a notebook of the project.
std::string build_command(const Project& project, const std::string& slug);

/// The result of a build.
struct BuiltPort {
  std::string program{};             ///< the notebook's executable; empty if there is none
  std::string why_not{};             ///< why there is none: one line
  bool refused = false;              ///< whether the compiler, or the reader of the cells, refused the port
  std::vector<std::size_t> lines{};  ///< those of the port in which the compiler found errors
};

/// Configures the project if necessary, and builds only the executable of one notebook. If a step fails, its
/// output is kept in a log in the build folder, which `why_not` names. Calls `tick` every second; an
/// exception from it ends the build. `why` is added to what its progress says. `beside` is a target that is
/// built, too.
BuiltPort build_port(
    const Project& project, const std::string& slug, const std::function<void()>& tick = [] {},
    const std::string& why = "", const std::string& beside = "");

}  // namespace torchbook::cli
