// Inserts a notebook after the others, above the program that is to contain it.
#include <fmt/format.h>
#include <tools/import/cmake_line.h>
#include <tools/import/text.h>
#include <torchbook/notebook/cells/cmake_commands.h>

#include <algorithm>
#include <optional>

namespace torchbook::importing {
namespace {

constexpr std::string_view add_notebook = "torchbook_add_notebook";
constexpr std::string_view add_program = "torchbook_add_program";

/// Returns whether a text calls a function with this first argument.
bool calls(std::string_view cmake, std::string_view function, std::string_view argument) {
  const auto commands = notebook::cmake_commands(cmake);
  return std::any_of(commands.begin(), commands.end(), [&](const auto& command) {
    return command.name == function && !command.arguments.empty() && command.arguments[0] == argument;
  });
}

/// Returns the offset after the line of a command, or that of the next command if it is on the same
/// line.
std::size_t place_after(std::string_view cmake, const notebook::CMakeCommand& command,
                        const notebook::CMakeCommand& next) {
  const auto line = cmake.find('\n', command.end);
  return std::min(line == cmake.npos ? cmake.size() : line + 1, next.begin);
}

/// Returns the offset of a command's line, or of the command itself if other text precedes it on
/// the line.
std::size_t above(std::string_view cmake, const notebook::CMakeCommand& command) {
  const auto line = cmake.rfind('\n', command.begin) + 1;  // npos + 1 is 0
  return stripped(cmake.substr(line, command.begin - line)).empty() ? line : command.begin;
}

}  // namespace

std::string cmake_line(std::string_view slug) { return fmt::format("{}({})", add_notebook, slug); }

bool has_notebook(std::string_view cmake, std::string_view slug) { return calls(cmake, add_notebook, slug); }

bool has_program(std::string_view cmake, std::string_view name) { return calls(cmake, add_program, name); }

bool is_project(std::string_view cmake) {
  const auto commands = notebook::cmake_commands(cmake);
  return std::any_of(commands.begin(), commands.end(),
                     [](const auto& command) { return command.name == "project"; });
}

std::optional<std::string> with_notebook(std::string_view cmake, std::string_view slug) {
  const auto commands = notebook::cmake_commands(cmake);
  const auto program = std::find_if(commands.begin(), commands.end(),
                                    [](const auto& command) { return command.name == add_program; });
  if (program == commands.end()) return std::nullopt;
  auto place = above(cmake, *program);
  for (auto command = commands.begin(); command != program; ++command) {
    if (command->name == add_notebook) place = place_after(cmake, *command, command[1]);
  }
  std::string text(cmake);
  const auto& arguments = program->arguments;
  if (std::find(arguments.begin(), arguments.end(), "NOTEBOOKS") != arguments.end()) {
    text.insert(program->end, " " + std::string(slug));
  }
  return text.insert(place, with_line_ends_of(cmake, cmake_line(slug) + '\n'));
}

}  // namespace torchbook::importing
