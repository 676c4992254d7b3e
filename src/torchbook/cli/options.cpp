// Defines the options of all programs.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/version.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/option_words.h>
#include <torchbook/cli/options.h>
#include <torchbook/cli/quote.h>
#include <torchbook/cli/site.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <initializer_list>
#include <map>

namespace torchbook::cli {
namespace {

constexpr const char* exit_codes =
    "Exit codes: 0 every output equals its golden, 1 something differs,\n"
    "2 wrong usage, missing or broken input, or unwritable output, 3 a cell threw.";

/// Flags that decide the action. Other options say how it is done.
struct Flags {
  bool list = false;
  bool check = false;
};

/// Adds an option that takes the word of one of `choices`. Any other word is refused, with a list of all
/// choices.
template <class Target, class Choice>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Target& target,
                        const std::string& description, std::initializer_list<Choice> choices) {
  std::map<std::string, Choice> values;
  std::vector<std::string> words;  // in the order of the choices
  for (const Choice choice : choices) values.emplace(words.emplace_back(option_word(choice)), choice);
  const auto check = [values, words](const std::string& word) {
    return values.contains(word) ? "" : fmt::format("{} is none of {}", word, fmt::join(words, ", "));
  };
  const auto store = [&target, values](const std::string& word) { target = values.at(word); };
  return app.add_option_function<std::string>(name, store, description)
      ->check(CLI::Validator(check, ""))
      ->type_name(fmt::format("{}", fmt::join(words, "|")));
}

void add_output_options(CLI::App& app, Options& options, const std::string& description,
                        std::initializer_list<Format> formats) {
  add_choice(app, "--format", options.format, description, formats);
  app.add_option("-o,--output", options.output, "write the report to FILE instead of stdout")
      ->type_name("FILE");
}

void add_verdict_options(CLI::App& app, Options& options) {
  add_choice(app, "--accept", options.accept, "what passes: equal bytes, or what is equal as printed, too",
             {golden::Accept::equal, golden::Accept::printed});
  app.add_option("--junit", options.junit, "also write a report for CI servers to FILE")->type_name("FILE");
}

void add_output_options(CLI::App& app, Options& options) {
  add_output_options(app, options, "text, for people, or json, for programs", {Format::text, Format::json});
}

void add_options(CLI::App& app, Options& options, Flags& flags) {
  app.add_flag("--list", flags.list, "list the cells, run none");
  app.add_flag("--check", flags.check, "show the verdicts without the transcript");
  app.add_option("--cell", options.cells,
                 "show only this cell, run what comes before it silently; repeatable")
      ->type_name("LABEL|@POSITION")
      ->allow_extra_args(false);
  app.add_option("--golden", options.golden, "compare with this golden instead of the one built in")
      ->type_name("FILE");
  using report::Sources;
  add_choice(app, "--source", options.source, "show each cell's C++ source, its PyTorch twin, both, or none",
             {Sources::both, Sources::cpp, Sources::python, Sources::none});
  app.add_flag("--heatmap", options.heatmap, "draw the tensors that cells print and display, in colours");
  app.add_flag("--step", options.step, "show one cell at a time, by key");
  add_verdict_options(app, options);
  add_output_options(app, options, "text, json for programs, a Jupyter notebook, or Markdown",
                     {Format::text, Format::json, Format::ipynb, Format::markdown});
}

void add_compare_options(CLI::App& app, Options& options) {
  auto& compare = options.compare;
  app.add_option("--cell", options.cells, "compare only this cell; repeatable")
      ->type_name("LABEL|@POSITION")
      ->allow_extra_args(false);
  app.add_option("--python", compare.python, "the Python whose PyTorch runs the twins")
      ->type_name("PATH")
      ->default_str(default_python);
  app.add_option("--timeout", compare.timeout, "the time that it may take")
      ->check(CLI::Range(1, 86400))
      ->type_name("SECONDS")
      ->capture_default_str();
  auto* twins =
      app.add_option("--twins", compare.twins, "run the twins DIR/SLUG.py instead of those built in");
  twins->type_name("DIR");
  app.add_flag("--keep-going,!--no-keep-going", compare.keep_going,
               "run the cells of a twin behind one that raised (the default), or do not");
  auto* record =
      app.add_option("--record", compare.record, "keep what PyTorch gave, bit for bit, in DIR/SLUG.json");
  record->type_name("DIR");
  app.add_option_function<std::string>(
         "--reference", [&compare](const std::string& word) { set_reference(compare, word); },
         "compare with the recordings DIR/SLUG.json, or with those built in, instead of a live PyTorch")
      ->type_name("DIR|built-in")
      ->excludes(record)
      ->excludes(twins);
  app.add_flag("--once", compare.once,
               "if bits differ, do not run again with the settings that would make them the same");
  add_verdict_options(app, options);
  add_output_options(app, options);
}

/// Makes every option refuse an empty value, and refuse the next option as its value.
void demand_values(CLI::App& app) {
  for (auto* option : app.get_options()) {
    if (!option->nonpositional() || option->get_items_expected_max() == 0) continue;
    option->check([what = option->get_type_name()](const std::string& value) {
      if (value.empty()) return fmt::format("needs a {}, and got an empty text", what);
      if (value.starts_with("--")) return fmt::format("needs a {}, and {} is an option", what, value);
      return std::string();
    });
  }
  for (auto* command : app.get_subcommands({})) demand_values(*command);
}

/// Refuses options before a command that has options of its own, because they would be lost.
void refuse_options_before(const CLI::App& app) {
  for (const auto* command : app.get_subcommands()) {
    if (command->get_name() == "run" || command->get_name() == "check") continue;
    for (const auto* option : app.get_options()) {
      if (option->count() == 0) continue;
      throw UsageError(
          fmt::format("{0} stands before {1}, which would not see it; as in: {2} {1} …, with what {1} "
                      "takes behind it (see {2} {1} --help)",
                      option->get_name(), command->get_name(), app.get_name()));
    }
  }
}

void prepare(CLI::App& app, const std::string& name) {
  app.name(name);
  app.footer(exit_codes);
  app.set_version_flag("--version",
                       fmt::format("{} {} (LibTorch {})", name, TORCHBOOK_VERSION, TORCH_VERSION));
  app.get_formatter()->column_width(34);
}

/// Returns the message for a word that is no command: it lists the commands.
std::string unexpected_word(const CLI::App& app, const std::string& word) {
  std::vector<std::string> commands;
  for (const auto* command : app.get_subcommands({})) commands.push_back(command->get_name());
  return fmt::format(
      "there is no command {}; the commands are {}, and a notebook's name stands behind one: {} run SLUG",
      word, fmt::join(commands, ", "), app.get_name());
}

/// Parses the command line. Returns the answer if it is --help or --version.
std::optional<Answer> parse(CLI::App& app, int argc, const char* const* argv) {
  demand_values(app);
  try {
    app.parse(argc, argv);
    refuse_options_before(app);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    return Answer{app.help()};
  } catch (const CLI::CallForVersion& version) {
    return Answer{version.what() + std::string("\n")};
  } catch (const CLI::ExtrasError& error) {
    const auto words = app.remaining();
    const bool is_word = !words.empty() && !words.front().starts_with('-') && app.get_subcommands().empty();
    if (is_word && !app.get_subcommands({}).empty()) throw UsageError(unexpected_word(app, words.front()));
    throw UsageError(fmt::format("{} (see {} --help)", error.what(), app.get_name()));
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    throw UsageError(fmt::format("{} (see {} --help)", message, app.get_name()));
  }
}

/// Adds the commands that only ./torchbook has. So --help shows all commands, and a user who tries one here
/// learns where it is.
void add_script_commands(CLI::App& app) {
  const auto add = [&](const std::string& name, const std::string& description) {
    auto* command = app.add_subcommand(name, description + " (./torchbook only)");
    command->set_help_flag();
    command->prefix_command();
    command->callback([name] {
      throw UsageError(fmt::format(
          "{} is a command of ./torchbook, the script in the source tree; this program has no such command",
          name));
    });
  };
  add("test", "build everything and run every test");
  add("matrix", "build and check on other releases of LibTorch, in other Debians");
}

Action action_of(const Flags& flags, Action otherwise) {
  if (flags.list && flags.check) throw UsageError("--list runs no cell, so it does not go with --check");
  if (flags.list) return Action::list;
  return flags.check ? Action::check : otherwise;
}

/// Returns the action of the command of `torchbook`. If there is no command, that is `check`.
Action asked_action(const CLI::App& app, const Flags& flags) {
  if (app.got_subcommand("list")) return Action::notebooks;
  if (app.got_subcommand("doctor")) return Action::doctor;
  if (app.got_subcommand("compare")) return Action::compare;
  if (app.got_subcommand("site")) return Action::site;
  return action_of(flags, app.got_subcommand("run") ? Action::run : Action::check);
}

}  // namespace

report::Sources shown_sources(const Options& options) {
  return options.source.value_or(options.format == Format::markdown ? report::Sources::both
                                                                    : report::Sources::cpp);
}

Request parse_notebook_options(int argc, const char* const* argv, const std::string& slug) {
  Options options;
  Flags flags;
  CLI::App app("Runs a PyTorch notebook, ported to LibTorch, and holds each cell's output to its golden.");
  prepare(app, slug);
  add_options(app, options, flags);
  if (auto answer = parse(app, argc, argv)) return *answer;
  options.action = action_of(flags, Action::run);
  options.again = shell_quoted(argv[0]);
  return options;
}

Request parse_torchbook_options(int argc, const char* const* argv) {
  Options options;
  Flags flags;
  CLI::App app(
      "Runs PyTorch notebooks, ported to LibTorch, and holds each cell's output to its golden.\n"
      "Without a command: check every notebook.");
  prepare(app, "torchbook");
  add_options(app, options, flags);
  app.require_subcommand(0, 1);
  const auto add_command = [&](const char* name, const char* description) {
    auto* command = app.add_subcommand(name, description);
    command->footer(exit_codes);
    return command;
  };
  auto* run = add_command("run", "show the transcripts of all or of the named notebooks");
  auto* check = add_command("check", "show the verdicts without the transcripts");
  auto* compare = add_command("compare", "run the twins under PyTorch and compare text and bits with theirs");
  auto* list = add_command("list", "list the notebooks");
  auto* doctor = add_command("doctor", "show what computes here, how fast, and what slows it down");
  doctor->footer(
      "Exit code 0, also where it warns: a warning is no failure.\n2: wrong usage or unwritable output.");
  add_script_commands(app);
  auto* site = add_command("site", "write pages that show each PyTorch cell beside its C++ cell");
  for (auto* command : {run, check, compare, site}) {
    command->add_option("SLUG", options.slugs, "the notebooks; without one, all of them");
  }
  for (auto* command : {run, check}) add_options(*command, options, flags);
  add_compare_options(*compare, options);
  for (auto* command : {list, doctor}) add_output_options(*command, options);
  add_site_options(*site, options);
  if (auto answer = parse(app, argc, argv)) return *answer;
  options.action = asked_action(app, flags);
  options.again = shell_quoted(argv[0]) + (run->parsed()       ? " run"
                                           : compare->parsed() ? " compare"
                                                               : " check");
  return options;
}

}  // namespace torchbook::cli
