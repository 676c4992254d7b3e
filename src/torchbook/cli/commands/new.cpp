// `torchbook new`: starts a project. Fills in the templates of new_project/, writes them into a
// temporary folder, and renames it.
#include <absl/strings/str_replace.h>
#include <fmt/format.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/program.h>
#include <torchbook/cli/system/cleanup.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/cli/system/installation.h>
#include <torchbook/notebook/cells/cpp_code.h>
#include <torchbook/notebook/cells/target_names.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>
#include <system_error>

namespace torchbook::cli {

extern const std::string_view project_cmake, project_readme, project_ci, project_gitignore;
extern const std::string_view project_port, project_twin, project_golden;

namespace {

namespace fs = std::filesystem;

/// A file of a new project.
struct ProjectFile {
  std::string_view name;
  const std::string_view& text;
};

const ProjectFile project_files[] = {
    {"CMakeLists.txt", project_cmake},        {"README.md", project_readme},
    {".gitignore", project_gitignore},        {".github/workflows/ci.yml", project_ci},
    {"first_notebook.cpp", project_port},     {"first_notebook.py", project_twin},
    {"first_notebook.golden", project_golden}};

[[noreturn]] void fail(const std::string& folder, std::string_view why) {
  throw UsageError(fmt::format("cannot make the project {}: {}", folder, why));
}

/// Returns the absolute path of the folder, without a slash at its end.
fs::path place_of(const std::string& folder) {
  if (folder.empty()) throw UsageError("new needs a DIR, and got an empty text");
  auto place = fs::absolute(folder).lexically_normal();
  if (!place.has_filename()) place = place.parent_path();
  const auto name = place.filename().string();
  if (!notebook::is_name(name)) {
    fail(folder,
         "its name is that of the project, so it has letters, digits and underscores, and begins with no "
         "digit");
  }
  if (notebook::is_target_name(name) || name == "first_notebook" || name == "main") {
    fail(folder, fmt::format("{} is the name of something else in the build; choose another one", name));
  }
  return place;
}

/// Returns the name of this Debian release, or `stable` on any other system.
std::string debian_release() {
  std::ifstream file("/etc/os-release");
  bool debian = false;
  std::string release;
  for (std::string line; std::getline(file, line);) {
    if (line == "ID=debian") debian = true;
    if (const std::string_view key = "VERSION_CODENAME="; line.starts_with(key))
      release = line.substr(key.size());
  }
  return debian && notebook::is_name(release) ? release : "stable";
}

/// Returns the last lines of the call of find_package, or an empty text if it needs none.
std::string package_hint() {
  const auto prefix = prefix_to_tell();
  const bool is_plain = prefix && prefix->string().find_first_of("\"\\$;") == std::string::npos;
  if (!is_plain) return "";
  return fmt::format("\n  HINTS \"{}\"  # torchbook was here; what CMAKE_PREFIX_PATH names goes first\n",
                     prefix->string());
}

std::string filled_in(std::string_view text, const std::string& name, const std::string& debian) {
  return absl::StrReplaceAll(std::string(text),
                             {{"@NAME@", name}, {"@DEBIAN@", debian}, {"@HINT@", package_hint()}});
}

TemporaryFolder folder_beside(const fs::path& place) try {
  return TemporaryFolder(place);
} catch (const std::system_error& error) {
  fail(place.string(), error.code().message());
}

/// Writes a project into a new or empty folder, whose name becomes the project's. The folder
/// appears complete or not at all. Returns the next steps for the user. Throws UsageError.
std::string write_new_project(const std::string& folder) {
  const fs::path place = place_of(folder);
  const std::string name = place.filename().string();
  std::error_code error;
  if (fs::equivalent(place, fs::current_path(), error)) {
    fail(folder, "it is the folder you are in; name it from outside");
  }
  make_folder(place.parent_path().string());
  const Undisturbed until_written;  // so no temporary folder stays
  TemporaryFolder temporary = folder_beside(place);
  const std::string debian = debian_release();
  for (const auto& [file, text] : project_files) {
    const fs::path path = fs::path(temporary.path()) / file;
    make_folder(path.parent_path().string());
    write_file(path.string(), filled_in(text, name, debian));
  }
  if (const int why = temporary.rename(place); why != 0) {
    const bool in_use = why == ENOTEMPTY || why == EEXIST;
    fail(folder, in_use ? "the folder is not empty" : std::generic_category().message(why));
  }
  return fmt::format(
      "{0}: a project with one notebook; README.md says more\n"
      "cd {0} && cmake -G Ninja -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build && "
      "ctest --test-dir build\n",
      shell_quoted(folder.c_str()));
}

}  // namespace

void add_new(CLI::App& app, const Program& /*program*/, Work& work) {
  auto folder = std::make_shared<std::string>();
  auto& command =
      add_command(app, "new", "make a project for notebooks of your own, in the folder DIR",
                  "Exit codes: 0 the project is written, 2 wrong usage, or DIR cannot be written.");
  command.add_option("DIR", *folder, "the new folder; its name is the project's")->required();
  command.callback([folder, &work] {
    work = [folder] {
      write_stdout(write_new_project(*folder));
      return exit_equal;
    };
  });
}

}  // namespace torchbook::cli
