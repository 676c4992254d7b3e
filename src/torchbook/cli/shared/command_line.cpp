// Rewords the errors of CLI11, and adds checks that it lacks. Wraps help texts between words, which CLI11
// does only since version 2.5.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/shared/command_line.h>
#include <torchbook/cli/shared/words.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/notebook/ported_notebook.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <vector>

namespace torchbook::cli {
namespace {

constexpr std::size_t screen = 80;
constexpr std::size_t name_width = 34;  // the width of the names of options and commands

/// Wraps `text` between words at `width` columns. A longer word stays whole.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  std::string lines;
  while (text.size() > width || text.substr(0, width).find('\n') != text.npos) {
    auto end = text.substr(0, width + 1).find('\n');
    if (end == text.npos) end = text.substr(0, width + 1).rfind(' ');
    if (end == text.npos) end = text.find_first_of(" \n");
    if (end == text.npos) break;
    lines += fmt::format("{}\n{}", text.substr(0, end), indent);
    text.remove_prefix(end + 1);
  }
  return lines.append(text);
}

class Formatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool positional) const override {
    return entry(make_option_name(option, positional) + make_option_opts(option), make_option_desc(option));
  }

  /// Leaves out the options that this one needs or excludes. The error messages name them.
  std::string make_option_opts(const CLI::Option* option) const override {
    auto text = CLI::Formatter::make_option_opts(option);
    for (const auto* more : {" Needs:", " Excludes:"}) text.resize(std::min(text.find(more), text.size()));
    return text;
  }

  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_name(), command->get_description());
  }

  std::string make_description(const CLI::App* app) const override {
    return wrapped(CLI::Formatter::make_description(app), screen, "");
  }

 private:
  static std::string entry(const std::string& name, const std::string& description) {
    const std::string indent(name_width, ' ');
    const std::string left = "  " + name;
    const auto start =
        left.size() < name_width ? fmt::format("{:<{}}", left, name_width) : left + '\n' + indent;
    return start + wrapped(description, screen - name_width, indent) + '\n';
  }
};

/// Returns what an option with values of that type needs.
std::string need(const std::string& type) {
  const auto name = type.substr(0, type.find(':'));  // without the range of a number
  return fmt::format("needs {} {}", name.find('|') == name.npos ? "a" : "one of", name);
}

/// Makes every option reject an empty value, and a value that is the next option.
void demand_values(CLI::App& app) {
  for (auto* option : app.get_options()) {
    if (!option->nonpositional() || option->get_items_expected_max() == 0) continue;
    option->check([what = option->get_type_name()](const std::string& value) {
      if (value.empty()) return need(what) + ", and got an empty text";
      if (value.starts_with("--")) return fmt::format("{}, and {} is an option", need(what), value);
      return std::string();
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
          fmt::format("{0} comes before {1}, which would not see it; as in: {2} {1} …, with what {1} "
                      "takes after it (see {2} {1} --help)",
                      option->get_name(), command->get_name(), app.get_name()));
    }
  }
}

std::vector<std::string> long_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

bool has_option(const CLI::App& app, const std::string& name) {
  const auto names = long_options(app);
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Returns the command of the command line, or the program if there is none.
const CLI::App& asked_of(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : *parsed.front();
}

/// Returns a reference to the help of the command.
std::string see_help(const CLI::App& app) {
  const auto& asked = asked_of(app);
  return &asked == &app ? fmt::format("(see {} --help)", app.get_name())
                        : fmt::format("(see {} {} --help)", app.get_name(), asked.get_name());
}

/// Returns the message for an option that does not exist, or not at this place.
std::string unknown_option(const CLI::App& app, const std::string& word) {
  const auto option = word.substr(0, word.find('='));
  const CLI::App& asked = asked_of(app);
  if (has_option(asked, option)) {
    return fmt::format("{} comes before {}; write it after: {} {} {} …", option, asked.get_name(),
                       app.get_name(), asked.get_name(), option);
  }
  std::vector<std::string> others;
  for (const auto* command : app.get_subcommands({})) {
    if (has_option(*command, option)) others.push_back(command->get_name());
  }
  if (!others.empty()) {
    const auto said = &asked == &app ? "there is" : asked.get_name() + " has";
    return fmt::format("{} no option {}; it is one of {} {}", said, option, fmt::join(others, ", "),
                       see_help(app));
  }
  const auto meant = option.starts_with("--") ? did_you_mean(option, long_options(asked)) : "";
  return fmt::format("there is no option {}{} {}", option, meant, see_help(app));
}

std::string unexpected(const CLI::App& app) {
  const auto words = app.remaining(/*recurse=*/true);
  const auto option =
      std::find_if(words.begin(), words.end(), [](const auto& word) { return word.starts_with('-'); });
  const bool has_commands = !app.get_subcommands({}).empty();
  if (!words.empty() && option != words.begin() && has_commands && app.get_subcommands().empty()) {
    return unknown_command(app, words.front());
  }
  if (option != words.end()) return unknown_option(app, *option);
  return fmt::format("nothing takes the word {} {}", fmt::join(words, " "), see_help(app));
}

/// Returns the message for an option that lacks its value. CLI11 reports only the option's name,
/// inside a text.
std::string missing_value(const CLI::App& app, const std::string& message) {
  const auto name = message.substr(0, message.find(':'));
  const auto* option = asked_of(app).get_option_no_throw(name);
  return option == nullptr ? message : fmt::format("{}: {}", name, need(option->get_type_name()));
}

/// Returns the two option names around `between` in a message of CLI11, which says `A excludes B` and
/// `A requires B`.
std::pair<std::string, std::string> names_in(const std::string& message, std::string_view between) {
  const auto at = message.find(between);
  return {message.substr(0, at), message.substr(std::min(at + between.size(), message.size()))};
}

}  // namespace

void format_help(CLI::App& app) { app.formatter(std::make_shared<Formatter>()); }

std::string unknown_command(const CLI::App& app, const std::string& word) {
  std::vector<std::string> slugs;
  for (const auto& notebook : notebook::linked_notebooks()) slugs.emplace_back(notebook.slug);
  std::vector<std::string> commands;
  for (const auto* command : app.get_subcommands({})) commands.push_back(command->get_name());
  const auto said = fmt::format("there is no command {}", word);
  if (const auto command = nearest(word, commands); !command.empty()) {
    return fmt::format("{}; did you mean {} {}?", said, app.get_name(), command);
  }
  if (const auto slug = nearest(word, slugs); !slug.empty()) {
    return fmt::format("{}; did you mean {} run {}?", said, app.get_name(), slug);
  }
  return fmt::format("{}; the commands are {}, and a notebook's name comes after one: {} run SLUG", said,
                     fmt::join(commands, ", "), app.get_name());
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
  } catch (const CLI::ExtrasError&) {
    throw UsageError(unexpected(app));
  } catch (const CLI::ArgumentMismatch& error) {
    throw UsageError(fmt::format("{} {}", missing_value(app, error.what()), see_help(app)));
  } catch (const CLI::ExcludesError& error) {
    const auto [one, other] = names_in(error.what(), " excludes ");
    throw UsageError(fmt::format("{} and {} do not go together {}", one, other, see_help(app)));
  } catch (const CLI::RequiresError& error) {
    const auto [one, other] = names_in(error.what(), " requires ");
    throw UsageError(fmt::format("{} needs {} {}", one, other, see_help(app)));
  } catch (const CLI::ParseError& error) {
    if (!app.remaining(/*recurse=*/true).empty()) throw UsageError(unexpected(app));
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    throw UsageError(fmt::format("{} {}", message, see_help(app)));
  }
}

}  // namespace torchbook::cli
