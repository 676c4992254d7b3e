// Defines the options of all programs.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/version.h>
#include <torchbook/cli/command_line.h>
#include <torchbook/cli/conflicts.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/help_format.h>
#include <torchbook/cli/nearest.h>
#include <torchbook/cli/option_words.h>
#include <torchbook/cli/options.h>
#include <torchbook/cli/quote.h>
#include <torchbook/cli/site.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <initializer_list>
#include <map>
#include <utility>

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
    if (values.contains(word)) return std::string();
    if (word.empty()) return fmt::format("an empty text is none of {}", fmt::join(words, ", "));
    return fmt::format("{} is none of {}{}", word, fmt::join(words, ", "), did_you_mean(word, words));
  };
  const auto store = [&target, values](const std::string& word) { target = values.at(word); };
  return app.add_option_function<std::string>(name, store, description)
      ->check(CLI::Validator(check, ""))
      ->type_name(fmt::format("{}", fmt::join(words, "|")));
}

void add_output_options(CLI::App& app, Options& options, const std::string& description,
                        std::initializer_list<Format> formats) {
  add_choice(app, "--format", options.format, description, formats);
  app.add_option("-o,--output", options.output, "write the report to FILE; - is stdout, the default")
      ->type_name("FILE");
}

void add_verdict_options(CLI::App& app, Options& options) {
  add_choice(app, "--accept", options.accept, "what passes: equal bytes, or what is equal as printed, too",
             {golden::Accept::equal, golden::Accept::printed});
  app.add_option("--junit", options.junit, "also write a report for CI servers to FILE; - is stdout")
      ->type_name("FILE");
}

/// Adds the options that choose cells, and how much a report for people says of them.
void add_cell_options(CLI::App& app, Options& options) {
  app.add_option("--cell", options.cells,
                 "show only these cells: 26, In [26], @7, a range 26-40 or @7-@9, or a list 3,13,@7-@9; "
                 "what comes before them runs silently; repeatable")
      ->type_name("CELL")
      ->allow_extra_args(false);
  app.add_flag("--failed", options.failed, "show only the cells that do not pass");
  app.add_flag("--quiet", options.quiet, "show only what fails, and the summary");
  add_choice(app, "--color", options.colour, "colours: on a terminal without NO_COLOR, always, or never",
             {Colour::automatic, Colour::always, Colour::never});
}

void add_output_options(CLI::App& app, Options& options) {
  add_output_options(app, options, "text, for people, or json, for programs", {Format::text, Format::json});
}

void add_transcript_options(CLI::App& app, Options& options, Flags& flags) {
  app.add_flag("--check", flags.check, "show the verdicts without the transcript");
  app.add_flag("--heatmap", options.heatmap, "draw the tensors that cells print and display, in colours");
  app.add_flag("--step", options.step, "show one cell at a time, by key");
}

void add_options(CLI::App& app, Options& options, Flags& flags, std::initializer_list<Format> formats) {
  app.add_flag("--list", flags.list, "list the cells, run none");
  add_cell_options(app, options);
  app.add_flag("--times", options.times, "show how long each cell took");
  app.add_option("--golden", options.golden,
                 "compare with this golden instead of the one built in; - is stdin")
      ->type_name("FILE");
  using report::Sources;
  add_choice(app, "--source", options.source, "show each cell's C++ source, its PyTorch twin, both, or none",
             {Sources::both, Sources::cpp, Sources::python, Sources::none});
  add_verdict_options(app, options);
  add_output_options(app, options,
                     formats.size() > 2 ? "text, json for programs, a Jupyter notebook, or Markdown"
                                        : "text, for people, or json, for programs",
                     formats);
}

/// Adds the options of what can show transcripts.
void add_all_options(CLI::App& app, Options& options, Flags& flags) {
  add_transcript_options(app, options, flags);
  add_options(app, options, flags, {Format::text, Format::json, Format::ipynb, Format::markdown});
}

void add_compare_options(CLI::App& app, Options& options) {
  auto& compare = options.compare;
  add_cell_options(app, options);
  app.add_option("--python", compare.python, "the Python whose PyTorch runs the twins")
      ->type_name("PATH")
      ->default_str(default_python);
  app.add_option("--timeout", compare.timeout,
                 "the time that PyTorch may take, and that a second run with other settings may take")
      ->check(CLI::Range(1, 86400))
      ->type_name("SECONDS")
      ->capture_default_str();
  app.add_option("--twins", compare.twins, "run the twins DIR/SLUG.py instead of those built in")
      ->type_name("DIR");
  app.add_flag("--keep-going,!--no-keep-going", compare.keep_going,
               "run the cells of a twin behind one that raised (the default), or do not");
  app.add_option("--record", compare.record, "keep what PyTorch gave, bit for bit, in DIR/SLUG.json")
      ->type_name("DIR");
  app.add_option_function<std::string>(
         "--reference", [&compare](const std::string& word) { set_reference(compare, word); },
         "compare with the recordings DIR/SLUG.json, or with those built in, instead of a live PyTorch")
      ->type_name("DIR|built-in");
  app.add_flag("--once", compare.once,
               "if bits differ, do not run again with the settings that would make them the same");
  add_verdict_options(app, options);
  add_output_options(app, options);
}

void prepare(CLI::App& app, const std::string& name) {
  app.name(name);
  app.footer(exit_codes);
  app.set_version_flag("--version",
                       fmt::format("{} {} (LibTorch {})", name, TORCHBOOK_VERSION, TORCH_VERSION));
  format_help(app);
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
  if (flags.list) return Action::list;
  return flags.check ? Action::check : otherwise;
}

/// Returns the action of the command of `torchbook`. If there is no command, that is `check`.
Action asked_action(const CLI::App& app, const Flags& flags) {
  if (app.got_subcommand("list")) return Action::notebooks;
  if (app.got_subcommand("doctor")) return Action::doctor;
  if (app.got_subcommand("compare")) return Action::compare;
  if (app.got_subcommand("site")) return Action::site;
  if (app.got_subcommand("new")) return Action::create;
  return action_of(flags, app.got_subcommand("run") ? Action::run : Action::check);
}

void add_commands(CLI::App& app, Options& options, Flags& flags) {
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
  auto* site = add_command("site", "write pages that show each PyTorch cell beside its C++ cell");
  auto* create = add_command("new", "start a project for notebooks of your own in the folder DIR");
  create->footer("Exit codes: 0 the project is written, 2 wrong usage, or DIR cannot be written.");
  create->add_option("DIR", options.folder, "the new folder; its name is the project's")->required();
  for (auto* command : {run, check, compare, site}) {
    command->add_option("SLUG", options.slugs,
                        "the notebooks, by name or the beginning of it; without one, all of them");
  }
  add_all_options(*run, options, flags);
  add_options(*check, options, flags, {Format::text, Format::json});
  add_compare_options(*compare, options);
  for (auto* command : {list, doctor}) add_output_options(*command, options);
  add_site_options(*site, options);
}

/// Adds all options and commands of a program of several notebooks.
void add_everything(CLI::App& app, const std::string& name, Options& options, Flags& flags,
                    std::string& topic) {
  app.description(
      "Runs PyTorch notebooks, ported to LibTorch, and holds each cell's output to its golden.\n"
      "Without arguments: check every notebook, and show what fails and the summary.");
  prepare(app, name);
  add_all_options(app, options, flags);
  add_commands(app, options, flags);
  if (name == torchbook_program) add_script_commands(app);
  app.add_subcommand("help", "show this help, or that of a command")
      ->add_option("COMMAND", topic, "the command");
}

/// Returns what `torchbook --help` or, if `topic` is not empty, `torchbook TOPIC --help` answers.
Request help_of(const CLI::App& app, const char* program, const std::string& topic, const std::string& name) {
  if (!topic.empty() &&
      app.get_subcommands([&](const CLI::App* one) { return one->get_name() == topic; }).empty()) {
    throw UsageError(unknown_command(app, topic));
  }
  std::vector<const char*> words = {program};
  if (!topic.empty()) words.push_back(topic.c_str());
  words.push_back("--help");
  return parse_torchbook_options(static_cast<int>(words.size()), words.data(), name);
}

/// Parses the command line into `options`, which `finish` completes. Returns them, or the text that answers.
Request request(CLI::App& app, int argc, const char* const* argv, Options& options,
                const std::function<void()>& finish) {
  if (auto answer = parse_command_line(app, argc, argv)) return Answer{std::move(*answer)};
  options.given = given_options(app);
  options.again = shell_quoted(argv[0]);
  finish();
  if (options.output == "-") {
    if (options.action == Action::site) throw UsageError("--output -: the pages need a folder, not stdout");
    options.output.clear();
  }
  refuse_conflicts(options);
  return options;
}

}  // namespace

report::Sources shown_sources(const Options& options) {
  return options.source.value_or(options.format == Format::markdown ? report::Sources::both
                                                                    : report::Sources::cpp);
}

void describe_torchbook(const std::function<void(const CLI::App&)>& use) {
  Options options;
  Flags flags;
  std::string topic;
  CLI::App app;
  add_everything(app, torchbook_program, options, flags, topic);
  use(app);
}

Request parse_notebook_options(int argc, const char* const* argv, const std::string& slug) {
  Options options;
  options.slugs = {slug};
  Flags flags;
  CLI::App app("Runs a PyTorch notebook, ported to LibTorch, and holds each cell's output to its golden.");
  prepare(app, slug);
  add_all_options(app, options, flags);
  return request(app, argc, argv, options, [&] { options.action = action_of(flags, Action::run); });
}

Request parse_torchbook_options(int argc, const char* const* argv, const std::string& name) {
  Options options;
  Flags flags;
  std::string topic;
  CLI::App app;
  add_everything(app, name, options, flags, topic);
  auto asked = request(app, argc, argv, options, [&] {
    options.action = asked_action(app, flags);
    const bool same = app.got_subcommand("run") || app.got_subcommand("compare");
    options.again += " " + (same ? app.get_subcommands().front()->get_name() : "check");
    if (argc < 2) options.quiet = true;
  });
  return app.got_subcommand("help") ? help_of(app, argv[0], topic, name) : asked;
}

}  // namespace torchbook::cli
