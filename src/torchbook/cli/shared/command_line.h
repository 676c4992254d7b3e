// Parses a command line with CLI11, and says in one line what is wrong with it.
#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace torchbook::cli {

/// Parses the command line. Returns the text of --help or --version if it asks for that. Throws UsageError,
/// whose text names the nearest known word if a word is unknown.
std::optional<std::string> parse_command_line(CLI::App& app, int argc, const char* const* argv);

/// Returns the message for a word that is no command.
std::string unknown_command(const CLI::App& app, const std::string& word);

}  // namespace torchbook::cli
