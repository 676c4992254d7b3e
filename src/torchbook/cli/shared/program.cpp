// Words messages and the commands that they suggest.
#include <fmt/format.h>
#include <torchbook/cli/shared/program.h>
#include <torchbook/cli/shared/words.h>
#include <torchbook/cli/system/files.h>

namespace torchbook::cli {

void say(const Program& program, const std::vector<std::string>& lines) {
  for (const auto& line : lines) say_on_stderr(fmt::format("{}: {}", program.name, line));
}

SameCommand same_command(const Program& program, const std::string& command,
                         const std::vector<std::string>& options) {
  const auto start = shell_quoted(program.path) + (command.empty() ? "" : ' ' + command);
  std::string end;
  for (const auto& option : options) end += ' ' + shell_quoted(option);
  return [start, end, several = program.several](std::string_view slug) {
    return fmt::format("{}{}{}{}", start, several ? " " : "", several ? slug : "", end);
  };
}

}  // namespace torchbook::cli
