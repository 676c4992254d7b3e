// Runs CMake in a child.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/cmake_line.h>
#include <tools/import/command/import_files.h>
#include <tools/import/command/port_build.h>
#include <tools/import/text.h>
#include <torchbook/cli/shared/program.h>
#include <torchbook/cli/system/child.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/cli/system/installation.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/report/quoted.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

namespace torchbook::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::hours longest_build{2};

constexpr int not_found = 127;  // the exit code of env if it does not find the program

/// Returns the project that a build folder was configured for; empty if it is no build folder.
fs::path source_of(const fs::path& build) {
  const auto cache = build / "CMakeCache.txt";
  std::error_code unreadable;
  if (!fs::is_regular_file(cache, unreadable)) return {};
  const auto text = read_file(cache.string());
  constexpr std::string_view key = "CMAKE_HOME_DIRECTORY:INTERNAL=";
  for (const auto line : notebook::lines_of(text)) {
    if (line.starts_with(key)) return fs::path(line.substr(key.size()));
  }
  return {};
}

/// Returns the other project that `project.build` was configured for, or an empty text.
std::string other_project(const Project& project) {
  std::error_code none;
  const auto home = source_of(project.build);
  return home.empty() || fs::equivalent(home, project.source, none) ? "" : home.string();
}

/// Returns the build folder of `source` that contains this program; empty if there is none.
fs::path build_of_this_program(const fs::path& source) {
  std::error_code none;
  auto folder = this_program();
  while (folder.has_relative_path()) {
    folder = folder.parent_path();
    if (const auto home = source_of(folder); !home.empty() && fs::equivalent(home, source, none))
      return folder;
  }
  return {};
}

/// Whether CMake's message goes on below an empty line.
bool goes_on(std::string_view error) {
  const bool found = error.find(" Found package configuration file: ") != error.npos;
  return error.ends_with(':') || (found && error.find(" but it set ") == error.npos);
}

/// Returns the first error of CMake or the compiler in one line, or else the last line. For a linker error,
/// returns the line above, which names the missing symbol; for a package that refuses, its reason.
std::string first_error(const std::string& said) {
  std::string last, place, error;
  for (const auto line : notebook::lines_of(said)) {
    const auto words = importing::stripped(line);
    if (!error.empty()) {  // CMake's message is below the place, up to an empty line
      if (words.empty() && !goes_on(error)) break;
      if (!words.empty()) error += fmt::format(" {}", words);
      if (error.ends_with(" Reason given by package:")) error = place;
    } else if (line.starts_with("CMake Error")) {
      error = place = line;
    } else if (line.find(" error: ") != line.npos) {
      return line.starts_with("collect2: ") && !last.empty() ? last : std::string(line);
    }
    if (!words.empty() && !line.starts_with("ninja: ")) last = line;
  }
  return error.empty() ? last : error;
}

/// Returns the lines of a port that have compiler errors or instantiate a template that has one.
std::vector<std::size_t> lines_with_errors(const std::string& said, const std::string& slug) {
  const auto file = fmt::format("{}.cpp:", slug);
  std::vector<std::size_t> lines;
  for (const auto line : notebook::lines_of(said)) {
    const bool is_error = line.find(" error: ") != line.npos || line.ends_with("required from here");
    const auto at = line.find(file);
    if (!is_error || at == line.npos) continue;
    std::size_t number = 0;
    const auto* const begin = line.data() + at + file.size();
    if (std::from_chars(begin, line.data() + line.size(), number).ec == std::errc()) lines.push_back(number);
  }
  return lines;
}

struct Step {
  std::vector<std::string> command;
  std::string what;  ///< the step, in words
};

/// Runs a step. Returns an empty text, or why it failed; then its output is in the log.
std::string failure_of(const Step& step, const std::string& log, const std::function<void()>& tick) {
  std::vector<std::string> command = {"env"};
  command.insert(command.end(), step.command.begin(), step.command.end());
  Child child(command, "");
  const auto ended = child.wait(longest_build, [&](std::chrono::seconds passed) {
    tell_waiting(passed, step.what);
    tick();
  });
  if (ended.timed_out || ended.too_much)
    return fmt::format("it did not end, or wrote more than {} MiB", Child::most_bytes >> 20);
  if (ended.code == 0) return {};
  if (ended.code == not_found) return "cmake is not in PATH";
  make_folder(fs::path(log).parent_path().string());
  write_file(log, ended.said);
  return fmt::format("{} (the log is {})", report::shortened(first_error(ended.said)), log);
}

/// Returns the start of a command line that lets CMake find this program's installation, after the
/// paths in the user's CMAKE_PREFIX_PATH.
std::vector<std::string> finding_torchbook() {
  const auto prefix = prefix_to_tell();
  if (!prefix) return {};
  const char* named = std::getenv("CMAKE_PREFIX_PATH");
  const std::string before = named == nullptr || *named == '\0' ? "" : fmt::format("{}:", named);
  return {"env", fmt::format("CMAKE_PREFIX_PATH={}{}", before, prefix->string())};
}

/// Returns the step that configures the project. A build folder keeps its generator, because CMake refuses
/// another one.
Step configuring(const Project& project) {
  auto command = finding_torchbook();
  command.insert(command.end(), {"cmake", "-S", project.source, "-B", project.build});
  std::error_code unreadable;
  if (!fs::exists(fs::path(project.build) / "CMakeCache.txt", unreadable))
    command.insert(command.end(), {"-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"});
  return {.command = std::move(command), .what = "CMake"};
}

Step building(const Project& project, const std::string& slug) {
  return {.command = {"cmake", "--build", project.build, "--config", "Release", "--target", slug},
          .what = "the compiler"};
}

/// Returns the file that holds the path of the executable.
std::string place_of(const Project& project, const std::string& slug) {
  return fmt::format("{}/{}.program", project.build, slug);
}

std::string words_quoted(const std::vector<std::string>& words) {
  std::vector<std::string> quoted;
  quoted.reserve(words.size());
  for (const auto& word : words) quoted.push_back(shell_quoted(word));
  return fmt::format("{}", fmt::join(quoted, " "));
}

}  // namespace

std::optional<Project> project_of(const std::string& folder) {
  auto source = fs::absolute(folder.empty() ? "." : folder).lexically_normal();
  if (!source.has_filename()) source = source.parent_path();
  for (;; source = source.parent_path()) {
    const auto lists = source / "CMakeLists.txt";
    std::error_code unreadable;
    if (!fs::is_regular_file(lists, unreadable)) return std::nullopt;
    if (!importing::is_project(read_file(lists.string()))) continue;
    const auto build = build_of_this_program(source);
    return Project{fs::proximate(source).string(),
                   fs::proximate(build.empty() ? source / "build" : build).string()};
  }
}

Project own_project() {
  auto folder = this_program();
  while (folder.has_relative_path()) {
    folder = folder.parent_path();
    if (const auto source = source_of(folder); !source.empty()) return {source.string(), folder.string()};
  }
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  const auto is_set = [](const char* variable) { return variable != nullptr && *variable != '\0'; };
  if (!is_set(cache) && !is_set(home))
    throw UsageError("set HOME or XDG_CACHE_HOME; below it, ports that belong to no project are proved");
  const fs::path base = is_set(cache) ? fs::path(cache) : fs::path(home) / ".cache";
  const auto source = (base / "torchbook" / TORCHBOOK_VERSION).string();
  const auto lists = fs::path(source) / "CMakeLists.txt";
  make_folder(source);
  if (!fs::exists(lists)) {
    write_file(lists.string(),
               "# `torchbook import` proves here the ports that belong to no project.\n"
               "cmake_minimum_required(VERSION 3.25)\nproject(proofs LANGUAGES CXX)\n"
               "find_package(torchbook CONFIG REQUIRED COMPONENTS notebook)\n");
  }
  return {source, (fs::path(source) / "build").string()};
}

std::string build_command(const Project& project, const std::string& slug) {
  return fmt::format("{} && {} && \"$(cat {})\" --check", words_quoted(configuring(project).command),
                     words_quoted(building(project, slug).command), shell_quoted(place_of(project, slug)));
}

BuiltPort build_port(const Project& project, const std::string& slug, const std::function<void()>& tick,
                     const std::string& why, const std::string& beside) try {
  const FolderLock lock(project.source);  // two builds at once would write the same files
  const auto log = fmt::format("{}/{}.build.log", project.build, slug);
  if (const auto other = other_project(project); !other.empty()) {
    return {.why_not = fmt::format("{} is a build folder of {}, so it must be moved or removed first",
                                   project.build, other)};
  }
  const auto place = place_of(project, slug);
  if (!fs::exists(place)) {  // otherwise the build configures if that is necessary
    if (auto failure = failure_of(configuring(project), log, tick); !failure.empty())
      return {.why_not = std::move(failure)};
  }
  if (!fs::exists(place))
    return {.why_not = fmt::format("{}/CMakeLists.txt does not lead to torchbook_add_notebook({}); "
                                   "add_subdirectory(…) adds a folder",
                                   project.source, slug)};
  auto step = building(project, slug);
  if (!beside.empty()) step.command.push_back(beside);
  step.what += fs::exists(read_file(place)) ? why : ", whose first build takes longest";
  if (auto failure = failure_of(step, log, tick); !failure.empty())
    return {.why_not = std::move(failure),
            .refused = true,
            .lines = exists(log) ? lines_with_errors(read_file(log), slug) : std::vector<std::size_t>{}};
  return {.program = fs::proximate(read_file(place)).string()};
} catch (const UsageError& error) {  // CMake cannot be started, or the log cannot be written
  return {.why_not = error.what()};
}

}  // namespace torchbook::cli
