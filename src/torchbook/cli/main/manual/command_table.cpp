// Reads the table out of CLI11's description of the program.
#include <absl/strings/str_split.h>
#include <torchbook/cli/main/manual/command_table.h>
#include <torchbook/cli/main/notebooks_main.h>

#include <CLI/CLI.hpp>

namespace torchbook::cli {
namespace {

/// Chooses the completion of a value by the placeholder that the help shows for it.
void set_completes(OptionEntry& entry, const std::string& value) {
  const std::vector<std::string> words = absl::StrSplit(value, '|');
  for (const auto& word : words) {
    if (word == "FILE" || word == "PATH") entry.completes = Completes::files;
    if (word == "DIR") entry.completes = Completes::folders;
    if (word == "SLUG") entry.completes = Completes::slugs;
    if (word == "COMMAND") entry.completes = Completes::commands;
    if (!word.empty() && (word.front() < 'A' || word.front() > 'Z')) entry.words.push_back(word);
  }
  if (entry.completes == Completes::nothing && !entry.words.empty()) entry.completes = Completes::words;
}

OptionEntry entry_of(const CLI::Option& option) {
  OptionEntry entry;
  entry.description = option.get_description();
  if (option.get_items_expected_max() != 0) {
    const auto type = option.nonpositional() ? option.get_type_name() : option.get_name();
    entry.value = type.substr(0, type.find(':'));  // without the range of a number
  }
  if (option.nonpositional()) {
    for (const auto& name : option.get_snames()) entry.names.push_back("-" + name);
    for (const auto& name : option.get_lnames()) entry.names.push_back("--" + name);
  }
  set_completes(entry, entry.value);
  return entry;
}

CommandEntry entry_of(const CLI::App& command) {
  CommandEntry entry{command.get_name(), command.get_description(), {}, {}, command.get_footer()};
  for (const auto* option : command.get_options()) {
    (option->nonpositional() ? entry.options : entry.behind).push_back(entry_of(*option));
  }
  return entry;
}

}  // namespace

std::vector<CommandEntry> command_table() {
  std::vector<CommandEntry> table;
  describe_torchbook([&](const CLI::App& app) {
    table.push_back(entry_of(app));
    for (const auto* command : app.get_subcommands({})) {
      if (!command->get_prefix_command())
        table.push_back(entry_of(*command));  // otherwise it is the script's
    }
  });
  return table;
}

}  // namespace torchbook::cli
