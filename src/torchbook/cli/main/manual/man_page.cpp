// Writes the manual page in the language of man(7).
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/main/manual/command_table.h>

#include <string_view>

namespace torchbook::cli {
namespace {

/// Escapes a text for roff. Each of its lines stays a separate line of output.
std::string escaped(std::string_view text) {
  std::string result;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) result += "\\&";
    line_begins = c == '\n';
    if (c == '\\') {
      result += "\\e";
    } else if (c == '-') {
      result += "\\-";
    } else if (c == '\'') {
      result += "\\(aq";
    } else {
      result += c;
    }
    if (line_begins) result += ".br\n";
  }
  return result;
}

std::string option_text(const OptionEntry& option) {
  std::string names;
  for (const auto& name : option.names)
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", escaped(name));
  const auto value = option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", escaped(option.value));
  return fmt::format(".TP\n{}{}\n{}\n", names, value, escaped(option.description));
}

std::string command_text(const CommandEntry& command) {
  std::string text = fmt::format(".SS {}", escaped(command.name));
  for (const auto& behind : command.behind) text += fmt::format(" {}", escaped(behind.value));
  text += fmt::format("\n{}\n", escaped(command.description));
  for (const auto& behind : command.behind)
    text += fmt::format(".TP\n\\fI{}\\fR\n{}\n", escaped(behind.value), escaped(behind.description));
  for (const auto& option : command.options) text += option_text(option);
  return text;
}

}  // namespace

std::string man_page(const std::vector<CommandEntry>& table) {
  const CommandEntry& program = table.front();
  std::string text = fmt::format(
      ".TH TORCHBOOK 1 \"\" \"torchbook {0}\" \"User Commands\"\n.SH NAME\n"
      "torchbook \\- run PyTorch notebooks, ported to LibTorch, and compare their outputs\n.SH SYNOPSIS\n"
      ".B torchbook\n[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR]\n.SH DESCRIPTION\n{1}\n.SH COMMANDS\n",
      TORCHBOOK_VERSION, escaped(program.description));
  for (const auto& command : table) {
    if (&command != &program) text += command_text(command);
  }
  text += ".SH OPTIONS\nWithout a command:\n";
  for (const auto& option : program.options) text += option_text(option);
  return text + fmt::format(
                    ".SH EXIT STATUS\n{}\n.SH EXAMPLES\n.TP\n.B torchbook\nchecks every notebook.\n.TP\n"
                    ".B torchbook run mathematical_trick \\-\\-cell 45\nshows one cell.\n.TP\n"
                    ".B torchbook new mybooks\nstarts a project for notebooks of your own.\n",
                    escaped(program.exit_codes));
}

}  // namespace torchbook::cli
