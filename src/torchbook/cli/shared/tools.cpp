// Looks for tools where programs and libraries of this build or installation are.
#include <fmt/format.h>
#include <torchbook/cli/shared/tools.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/cli/system/installation.h>
#include <torchbook/notebook/ported_notebook.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string>

namespace torchbook::cli {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none) && ::access(path.c_str(), X_OK) == 0;
}

/// Returns the folders of this program and of torchbook's own programs.
std::vector<fs::path> program_folders() {
  std::vector<fs::path> folders = {this_program().parent_path()};
  if (const auto own = notebook::torchbook_programs(); !own.empty()) folders.emplace_back(own);
  return folders;
}

/// Returns the path of a program, or an empty text.
std::string found(const std::string& name) {
  auto folders = program_folders();
  const char* path = std::getenv("PATH");
  std::istringstream rest(path == nullptr ? "" : path);
  for (std::string folder; std::getline(rest, folder, ':');) folders.emplace_back(folder);
  for (const auto& folder : folders) {
    if (is_program(folder / name)) return (folder / name).string();
  }
  return {};
}

/// Returns what brings a program: `torchbook-part`, or that of another project, `mybooks-site`.
std::string what_brings(const std::string& program, std::string_view tool) {
  if (program.starts_with("torchbook"))
    return fmt::format(
        "./torchbook {} builds it, and so does cmake --build BUILD --target {}, if TORCHBOOK_TOOLS names {}; "
        "the Debian package is {}",
        tool, program, tool, program);
  return fmt::format("a project that finds an installed torchbook-{} builds it with its programs", tool);
}

}  // namespace

std::string path_of(const Tool& tool, const Program& program) {
  const auto name = fmt::format("{}-{}", tool.has_notebooks ? program.name : "torchbook", tool.name);
  if (auto path = found(name); !path.empty()) return path;
  throw UsageError(fmt::format("{} is a program of its own, {}, which is not here: {}", tool.name, name,
                               what_brings(name, tool.name)));
}

void run_tool(const Tool& tool, const Program& program, const std::vector<std::string>& words) {
  const auto path = path_of(tool, program);
  std::vector<std::string> command = {program.path};
  command.insert(command.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (auto& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::fflush(nullptr);
  ::execv(path.c_str(), arguments.data());
  throw UsageError(fmt::format("{} cannot be started: {}", path, std::strerror(errno)));
}

Child::Ended run_part(const std::string& part, std::vector<std::string> arguments, const std::string& input) {
  arguments.insert(arguments.begin(), part);
  arguments.insert(arguments.end(), {"--output", "/dev/fd/3"});
  return Child(arguments, input).wait(std::chrono::hours(1), [&](std::chrono::seconds passed) {
    tell_waiting(passed, part + " to compare the traces");
  });
}

Recorder recorder() {
  constexpr const char* library = "libtorchbook_trace.so";
  constexpr const char* module = "torchbook.py";
  std::vector<fs::path> folders;
  for (const auto& programs : program_folders()) {
    folders.push_back(programs);
    for (auto& folder : library_folders(programs.parent_path())) folders.push_back(std::move(folder));
  }
  Recorder recorder;
  std::error_code none;
  for (const auto& folder : folders) {
    if (recorder.library.empty() && fs::exists(folder / library, none)) recorder.library = folder / library;
    for (const auto& modules : {folder, folder / "python3/dist-packages"}) {
      if (recorder.modules.empty() && fs::exists(modules / module, none)) recorder.modules = modules;
    }
  }
  if (!recorder.library.empty() && !recorder.modules.empty()) return recorder;
  throw UsageError(fmt::format("operations are recorded by {}, which is not here: {}", library,
                               what_brings("torchbook-part", "part")));
}

}  // namespace torchbook::cli
