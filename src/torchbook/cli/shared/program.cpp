// Words messages and the commands that they suggest.
#include <fmt/format.h>
#include <torchbook/cli/shared/program.h>
#include <torchbook/cli/shared/words.h>
#include <torchbook/cli/system/files.h>

namespace torchbook::cli {

void say(const Program& program, const std::vector<std::string>& lines) {
  for (const auto& line : lines) say_on_stderr(fmt::format("{}: {}", program.name, line));
}

SameCommand::SameCommand(const Program& program, const std::string& command)
    : command_(shell_quoted(program.path)), several_(program.several) {
  if (!command.empty()) command_ += ' ' + command;
}

void SameCommand::add(const std::string& option, const std::string& value) {
  if (!value.empty()) options_ += fmt::format(" {} {}", option, shell_quoted(value));
}

void SameCommand::add_flag(const std::string& flag, bool is_set) {
  if (is_set) options_ += ' ' + flag;
}

std::string SameCommand::of(const std::string& slug) const {
  return command_ + (several_ ? ' ' + slug : "") + options_;
}

}  // namespace torchbook::cli
