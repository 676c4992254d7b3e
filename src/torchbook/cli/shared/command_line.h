// Parses a command line with CLI11, reports an error in one line, and formats the help.
#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace torchbook::cli {

/// Limits the help of `app`, and of commands added to it later, to 80 columns.
void format_help(CLI::App& app);

/// Parses the command line. Returns the text of --help or --version if it asks for that. Throws
/// UsageError with CLI11's message, which suggests the nearest known word instead of an unknown one.
std::optional<std::string> parse_command_line(CLI::App& app, int argc, const char* const* argv);

/// Returns the message for an unknown command.
std::string unknown_command(const CLI::App& app, const std::string& word);

}  // namespace torchbook::cli
