#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/shared/command_line.h>
#include <torchbook/cli/shared/program.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/notebook/ported_notebook.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <sstream>
#include <vector>

namespace torchbook::cli {
namespace {

constexpr std::size_t screen = 80;
constexpr std::size_t name_width = 34;  // the width of the names of options and commands

/// Breaks lines that are longer than a screen between words.
std::string wrapped(const std::string& help) {
  std::istringstream lines(help);
  std::string text;
  for (std::string line; std::getline(lines, line); text += line + '\n') {
    const std::string indent(line.starts_with("  ") ? name_width : 0, ' ');
    for (auto end = line.rfind(' ', screen); line.size() > screen && end != line.npos && end > indent.size();
         end = line.rfind(' ', screen)) {
      text.append(line, 0, end).push_back('\n');
      line.replace(0, end + 1, indent);
    }
  }
  return text;
}

/// Returns the line of an option or command, whose description is on a line of its own if the name is long.
std::string row(const std::string& name, const std::string& description) {
  const auto line = fmt::format("  {:{}}", name, name_width - 2);
  if (description.empty()) return line + '\n';
  const bool is_long = name.size() > name_width - 3;
  return line + (is_long ? '\n' + std::string(name_width, ' ') : "") + description + '\n';
}

bool takes_many(const CLI::Option& option) {
  return option.get_expected_max() == CLI::detail::expected_max_vector_size;
}

/// Returns the names of an option, and its values. The error messages name the options that it needs or
/// excludes.
std::string signature(const CLI::Option& option) {
  std::string text = option.get_name(option.get_positional(), !option.get_positional());
  if (option.get_type_size() == 0) return text;
  text += ' ' + option.get_type_name();
  if (!option.get_default_str().empty()) text += '=' + option.get_default_str();
  return text + (takes_many(option) ? " ..." : "") + (option.get_required() ? " REQUIRED" : "");
}

/// Writes the help of a command, alike with each release of CLI11.
class Formatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode /*mode*/) const override {
    const auto visible = [](const CLI::Option* option) { return !option->get_group().empty(); };
    std::string usage = "Usage: " + name + " [OPTIONS]", positionals, options, commands;
    for (const auto* option : app->get_options(visible)) {
      (option->get_positional() ? positionals : options) +=
          row(signature(*option), option->get_description());
      if (!option->get_positional()) continue;
      const auto values = option->get_name(true, false) + (takes_many(*option) ? "..." : "");
      usage += fmt::format(fmt::runtime(option->get_required() ? " {}" : " [{}]"), values);
    }
    for (const auto* command : app->get_subcommands({}))
      commands += row(command->get_name(), command->get_description());
    if (!commands.empty()) usage += " [SUBCOMMAND]";
    const auto part = [](const char* heading, const std::string& rows) {
      return rows.empty() ? rows : fmt::format("\n{}:\n{}", heading, rows);
    };
    const auto footer = app->get_footer();
    return wrapped(app->get_description() + '\n' + usage + '\n' + part("Positionals", positionals) +
                   part("Options", options) + part("Subcommands", commands) + '\n' +
                   (footer.empty() ? "" : footer + '\n'));
  }
};

/// Makes every option reject an empty value, and a value that is the next option.
void demand_values(CLI::App& app) {
  for (auto* option : app.get_options()) {
    if (!option->nonpositional() || option->get_items_expected_max() == 0) continue;
    option->check([](const std::string& value) {
      if (!value.empty() && !value.starts_with("--")) return std::string();
      return "needs a value, and got " + (value.empty() ? "an empty text" : value);
    });
  }
  for (auto* command : app.get_subcommands({})) demand_values(*command);
}

/// Throws UsageError if an option precedes the command, because it would have no effect.
void refuse_options_before(const CLI::App& app) {
  for (const auto* command : app.get_subcommands()) {
    for (const auto* option : app.get_options()) {
      if (option->count() == 0) continue;
      throw UsageError(
          fmt::format("{} comes before {}; write it after", option->get_name(), command->get_name()));
    }
  }
}

/// Returns the message for the words that nothing expects.
std::string unexpected(const CLI::App& app, const CLI::App& asked, const std::vector<std::string>& words) {
  const auto first = words.front().substr(0, words.front().find('='));
  const bool is_option = first.starts_with('-');
  if (!is_option && &asked == &app && !app.get_subcommands({}).empty()) return unknown_command(app, first);
  std::vector<std::string> known;
  for (const auto* option : asked.get_options()) {
    for (const auto& name : option->get_lnames()) known.push_back("--" + name);
  }
  const bool too_early = std::find(known.begin(), known.end(), first) != known.end();
  const auto* const were = words.size() > 1 ? "s were" : " was";
  return fmt::format("The following argument{} not expected: {}", were, fmt::join(words, " ")) +
         (too_early   ? "; write it after " + asked.get_name()
          : is_option ? did_you_mean(first, known)
                      : "");
}

/// Returns the message for an option that takes one value and was given several times, or an empty text if
/// there is none.
std::string repeated(const CLI::App& asked) {
  for (const auto* option : asked.get_options()) {
    if (option->get_items_expected_max() != 1 || option->count() < 2) continue;
    return fmt::format("{} takes one value, and was given {} times", option->get_name(), option->count());
  }
  return {};
}

}  // namespace

void format_help(CLI::App& app) { app.formatter(std::make_shared<Formatter>()); }

std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  for (const auto* command : app.get_subcommands({})) known.push_back(command->get_name());
  const auto commands = static_cast<std::ptrdiff_t>(known.size());
  for (const auto& notebook : notebook::linked_notebooks()) known.emplace_back(notebook.slug);
  auto meant = nearest(word, known);
  if (std::find(known.begin() + commands, known.end(), meant) != known.end())
    meant = fmt::format("{} run {}", app.get_name(), meant);
  return fmt::format("there is no command {}{}", word,
                     meant.empty() ? "" : fmt::format("; did you mean {}?", meant));
}

std::optional<std::string> parse_command_line(CLI::App& app, int argc, const char* const* argv) {
  demand_values(app);
  try {
    app.parse(argc, argv);
    refuse_options_before(app);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    return app.help();
  } catch (const CLI::CallForVersion& version) {
    return version.what() + std::string("\n");
  } catch (const CLI::ParseError& error) {
    const auto commands = app.get_subcommands();
    const CLI::App& asked = commands.empty() ? app : *commands.front();
    const auto words = app.remaining(/*recurse=*/true);
    const auto again = repeated(asked);
    const auto message = !words.empty()  ? unexpected(app, asked, words)
                         : again.empty() ? error.what()
                                         : again;
    const auto command = commands.empty() ? "" : " " + asked.get_name();
    throw UsageError(fmt::format("{} (see {}{} --help)", message, app.get_name(), command));
  }
}

}  // namespace torchbook::cli
