// The commands and options of the program torchbook as plain data, for its manual and its completions.
#pragma once

#include <string>
#include <vector>

namespace torchbook::cli {

/// What a shell completes the value of an option to.
enum class Completes { nothing, words, files, folders, slugs, commands };

/// An option, or the positional arguments of a command.
struct OptionEntry {
  std::vector<std::string> names;  ///< `-o`, `--output`; empty for the words after a command
  std::string value;               ///< `FILE`; empty for a flag
  std::string description;
  Completes completes = Completes::nothing;
  std::vector<std::string> words{};  ///< what the value can be, besides files and folders
};

/// A command, or the program itself.
struct CommandEntry {
  std::string name;
  std::string description;
  std::vector<OptionEntry> options;
  std::vector<OptionEntry> behind;  ///< what follows it, without a name; at most one
  std::string exit_codes;
};

/// Returns the program itself, then its commands, as its command line parser defines them. The
/// commands of the script in the source tree are not included.
std::vector<CommandEntry> command_table();

/// Returns the manual page in the format of man.
std::string man_page(const std::vector<CommandEntry>& table);

/// Return the completion scripts of these shells.
std::string bash_completion(const std::vector<CommandEntry>& table);
std::string zsh_completion(const std::vector<CommandEntry>& table);
std::string fish_completion(const std::vector<CommandEntry>& table);

}  // namespace torchbook::cli
