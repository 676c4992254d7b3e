// Writes the completions of bash, zsh and fish.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/main/manual/command_table.h>

#include <string_view>

namespace torchbook::cli {
namespace {

std::vector<std::string> command_names(const std::vector<CommandEntry>& table) {
  std::vector<std::string> names;
  for (std::size_t i = 1; i < table.size(); ++i) names.push_back(table[i].name);
  return names;
}

std::vector<std::string> option_names(const CommandEntry& command) {
  std::vector<std::string> names;
  for (const auto& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

std::string name_of(const CommandEntry& command, const CommandEntry& program) {
  return &command == &program ? "" : command.name;
}

/// Returns the text with `before` inserted before each occurrence of one of `characters`.
std::string escaped(std::string_view text, std::string_view characters, std::string_view before) {
  std::string result;
  for (const char c : text) {
    if (characters.find(c) != characters.npos) result += before;
    result += c;
  }
  return result;
}

/// Returns the text in single quotes, escaped for bash and zsh.
std::string single_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

// ------------------------------------------------------------ bash

constexpr std::string_view bash_begin = R"(# Completes torchbook's commands, options and notebooks in bash.
_torchbook() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command= word
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = ]]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case $word in {}) command=$word; break ;; esac
  done
  COMPREPLY=()
  case $command:$previous in
)";

constexpr std::string_view bash_end = R"(  esac
}
complete -F _torchbook torchbook
)";

/// Returns the statement that completes a value or a positional argument.
std::string bash_action(const OptionEntry& entry, const std::vector<std::string>& commands) {
  const auto words = [](std::string_view list) {
    return fmt::format("mapfile -t COMPREPLY < <(compgen -W \"{}\" -- \"$current\")", list);
  };
  switch (entry.completes) {
    case Completes::words:
      return words(fmt::format("{}", fmt::join(entry.words, " ")));
    case Completes::commands:
      return words(fmt::format("{}", fmt::join(commands, " ")));
    case Completes::slugs:
      return words("$(torchbook list 2>/dev/null | cut -d ' ' -f 1)");
    case Completes::files:
      return "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\")";
    case Completes::folders:
      return fmt::format(
          "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -W \"{}\" -- \"$current\")",
          fmt::join(entry.words, " "));
    case Completes::nothing:
      break;
  }
  return ":";
}

}  // namespace

std::string bash_completion(const std::vector<CommandEntry>& table) {
  const auto commands = command_names(table);
  std::string text = fmt::format(fmt::runtime(bash_begin), fmt::join(commands, "|"));
  for (const auto& command : table) {
    const auto name = name_of(command, table.front());
    for (const auto& option : command.options) {
      if (option.value.empty()) continue;
      std::vector<std::string> cases;
      for (const auto& one : option.names) cases.push_back(fmt::format("{}:{}", name, one));
      text += fmt::format("    {}) {} ;;\n", fmt::join(cases, " | "), bash_action(option, commands));
    }
  }
  for (const auto& command : table) {
    OptionEntry behind{{}, "", "", Completes::nothing};
    if (&command == &table.front()) behind.completes = Completes::commands;
    if (!command.behind.empty()) behind = command.behind.front();
    text += fmt::format(
        "    {}:*)\n      if [[ $current == -* ]]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"{}\" -- \"$current\")\n      else\n        {}\n      "
        "fi ;;\n",
        name_of(command, table.front()), fmt::join(option_names(command), " "),
        bash_action(behind, commands));
  }
  return text.append(bash_end);
}

// ------------------------------------------------------------ zsh

namespace {

constexpr std::string_view zsh_begin = R"zsh(#compdef torchbook
# Completes torchbook's commands, options and notebooks in zsh.
_torchbook_slugs() {
  local -a slugs
  slugs=(${(f)"$(torchbook list 2>/dev/null | cut -d ' ' -f 1)"})
  compadd -a slugs
}

_torchbook() {
  local curcontext=$curcontext state
  local -a commands
)zsh";

std::string zsh_action(const OptionEntry& entry) {
  switch (entry.completes) {
    case Completes::words:
      return fmt::format("({})", fmt::join(entry.words, " "));
    case Completes::commands:
      return "_torchbook_commands";
    case Completes::slugs:
      return "_torchbook_slugs";
    case Completes::files:
      return "_files";
    case Completes::folders:
      return "_files -/";
    case Completes::nothing:
      break;
  }
  return " ";
}

/// Returns the specs of a command's options for zsh's `_arguments`, each after a line break.
std::string zsh_options(const CommandEntry& command, std::string_view indent) {
  std::string text;
  for (const auto& option : command.options) {
    for (const auto& name : option.names) {
      const bool is_long = name.starts_with("--");
      const auto sign = option.value.empty() ? "" : is_long ? "=" : "+";
      const auto value = option.value.empty()
                             ? ""
                             : fmt::format(":{}:{}", escaped(option.value, ":", "\\"), zsh_action(option));
      text += fmt::format(" \\\n{}{}", indent,
                          single_quoted(fmt::format("*{}{}[{}]{}", name, sign,
                                                    escaped(option.description, "[]:", "\\"), value)));
    }
  }
  return text;
}

}  // namespace

std::string zsh_completion(const std::vector<CommandEntry>& table) {
  std::string text(zsh_begin);
  text += "  commands=(\n";
  for (std::size_t i = 1; i < table.size(); ++i) {
    text += fmt::format("    {}\n",
                        single_quoted(table[i].name + ":" + escaped(table[i].description, ":", "\\")));
  }
  text += fmt::format("  )\n  _arguments -C{} \\\n    '1: :->command' '*:: :->arguments'\n",
                      zsh_options(table.front(), "    "));
  text +=
      "  case $state in\n    command) _describe command commands ;;\n    arguments)\n      case $words[1] "
      "in\n";
  for (std::size_t i = 1; i < table.size(); ++i) {
    std::string behind;
    for (const auto& one : table[i].behind) {
      const auto action = one.completes == Completes::commands
                              ? fmt::format("({})", fmt::join(command_names(table), " "))
                              : zsh_action(one);
      behind = fmt::format(" \\\n            {}", single_quoted(fmt::format("*:{}:{}", one.value, action)));
    }
    text += fmt::format("        {}) _arguments{}{} ;;\n", table[i].name,
                        zsh_options(table[i], "            "), behind);
  }
  return text + "      esac ;;\n  esac\n}\n\n_torchbook \"$@\"\n";
}

// ------------------------------------------------------------ fish

namespace {

std::string fish_quoted(std::string_view text) { return "'" + escaped(text, "\\'", "\\") + "'"; }

/// Returns the flags of fish's `complete` that choose how a value is completed.
std::string fish_action(const OptionEntry& entry, const std::vector<std::string>& commands) {
  switch (entry.completes) {
    case Completes::words:
      return fmt::format(" -x -a '{}'", fmt::join(entry.words, " "));
    case Completes::commands:
      return fmt::format(" -x -a '{}'", fmt::join(commands, " "));
    case Completes::slugs:
      return " -x -a '(torchbook list 2>/dev/null | string replace -r \" .*\" \"\")'";
    case Completes::files:
      return " -r -F";
    case Completes::folders:
      return fmt::format(" -x -a '(__fish_complete_directories) {}'", fmt::join(entry.words, " "));
    case Completes::nothing:
      break;
  }
  return " -x";
}

}  // namespace

std::string fish_completion(const std::vector<CommandEntry>& table) {
  const auto commands = command_names(table);
  std::string text =
      "# Completes torchbook's commands, options and notebooks in fish.\ncomplete -c torchbook -f\n";
  for (const auto& command : table) {
    const bool is_program = &command == &table.front();
    const auto when = is_program ? "__fish_use_subcommand" : "__fish_seen_subcommand_from " + command.name;
    if (!is_program) {
      text += fmt::format("complete -c torchbook -n __fish_use_subcommand -a {} -d {}\n", command.name,
                          fish_quoted(command.description));
    }
    for (const auto& option : command.options) {
      text += fmt::format("complete -c torchbook -n '{}'", when);
      for (const auto& name : option.names) {
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (!option.value.empty()) text += fish_action(option, commands);
      text += fmt::format(" -d {}\n", fish_quoted(option.description));
    }
    for (const auto& behind : command.behind) {
      text += fmt::format("complete -c torchbook -n '{}'{}\n", when, fish_action(behind, commands));
    }
  }
  return text;
}

}  // namespace torchbook::cli
