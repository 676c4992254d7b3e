// Defines the options of all programs.
#include <fmt/format.h>
#include <torch/version.h>
#include <torchbook/cli/command_line.h>
#include <torchbook/cli/conflicts.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/help_format.h>
#include <torchbook/cli/import.h>
#include <torchbook/cli/option_groups.h>
#include <torchbook/cli/options.h>
#include <torchbook/cli/quote.h>
#include <torchbook/cli/seed.h>
#include <torchbook/cli/site.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <utility>

namespace torchbook::cli {
namespace {

constexpr const char* exit_codes =
    "Exit codes: 0 every cell passes, 1 something differs or is not ported,\n"
    "2 wrong usage, missing or broken input, or unwritable output, 3 a cell threw.";
constexpr const char* list_exit_codes = "Exit codes: 0 done, 2 wrong usage or unwritable output.";
constexpr const char* golden_exit_codes =
    "Exit codes: 0 the golden is made, 2 wrong usage, missing or broken input, or\n"
    "unwritable output, 3 a cell of the twin raised, so nothing is written.";
constexpr const char* doctor_exit_codes =
    "Exit code 0, also where it warns: a warning is no failure.\n2: wrong usage or unwritable output.";
constexpr const char* new_exit_codes =
    "Exit codes: 0 the project is written, 2 wrong usage, or DIR cannot be written.";
constexpr const char* part_exit_codes =
    "Exit codes: 0 the traces are equal to the bit, 1 they differ or one was cut off,\n"
    "2 wrong usage, or a file is missing or no trace.";
constexpr const char* import_exit_codes =
    "Exit codes: 0 done, also if cells are not ported, 1 a ported cell differs,\n"
    "the port does not compile or does not end in time, or the golden is not what the\n"
    "notebook holds (--check), 2 wrong usage, missing or broken input, or unwritable\n"
    "output, 3 a cell threw.";

constexpr const char* seed_exit_codes =
    "Exit codes: 0 LibTorch gives the tensor from the seed that was found, 1 no seed\n"
    "gives it, 2 wrong usage, missing or broken input, a search that cannot decide,\n"
    "or unwritable output.";

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
  add("test", "build everything and run the tests");
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
  if (app.got_subcommand("golden")) return Action::golden;
  if (app.got_subcommand("site")) return Action::site;
  if (app.got_subcommand("new")) return Action::create;
  if (app.got_subcommand("import")) return Action::import;
  if (app.got_subcommand("part")) return Action::part;
  if (app.got_subcommand("seed")) return Action::seed;
  return action_of(flags, app.got_subcommand("run") ? Action::run : Action::check);
}

void add_commands(CLI::App& app, Options& options, Flags& flags) {
  app.require_subcommand(0, 1);
  const auto add_command = [&](const char* name, const char* description, const char* footer = exit_codes) {
    auto* command = app.add_subcommand(name, description);
    command->footer(footer);
    return command;
  };
  auto* run = add_command("run", "show the transcripts of all or of the named notebooks");
  auto* check = add_command("check", "show the verdicts without the transcripts");
  auto* compare = add_command("compare", "run the twins under PyTorch and compare text and bits with theirs");
  auto* golden = add_command("golden", "make a golden of what PyTorch gives for a twin", golden_exit_codes);
  auto* list = add_command("list", "list the notebooks", list_exit_codes);
  auto* doctor =
      add_command("doctor", "show what computes here, how fast, and what slows it down", doctor_exit_codes);
  auto* site = add_command("site", "write pages that show each PyTorch cell beside its C++ cell");
  auto* create =
      add_command("new", "start a project for notebooks of your own in the folder DIR", new_exit_codes);
  auto* importer =
      add_command("import", "make golden, twin and port out of a Python notebook", import_exit_codes);
  auto* part = add_command("part", "tell where two traces part, of C++ and of Python", part_exit_codes);
  auto* seed = add_command("seed", "find the seed behind printed random numbers", seed_exit_codes);
  for (auto* command : {run, check, compare, site}) {
    command->add_option("SLUG", options.slugs,
                        "the notebooks, by name or the beginning of it; without one, all of them");
  }
  golden->add_option("SLUG", options.slugs, "the notebook, by name or the beginning of it");
  create->add_option("DIR", options.folder, "the new folder; its name is the project's")->required();
  part->add_option("HERE", options.here, "the trace of the program that is examined, such as the one in C++")
      ->required();
  part->add_option("THERE", options.there, "the trace of the program that it should equal, such as Python's")
      ->required();
  add_all_options(*run, options, flags);
  add_check_options(*check, options, flags, {Format::text, Format::json});
  add_compare_options(*compare, options);
  add_golden_options(*golden, options);
  for (auto* command : {list, doctor}) add_output_options(*command, options);
  add_site_options(*site, options);
  add_import_options(*importer, options);
  add_part_options(*part, options);
  add_seed_options(*seed, options);
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
