// The options, once for every program.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/version.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/options.h>
#include <torchbook/cli/quote.h>
#include <torchbook/cli/site.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

namespace torchbook::cli {
namespace {

constexpr const char* exit_codes =
    "Exit codes: 0 every output equals its golden, 1 something differs,\n"
    "2 wrong usage, missing input or unwritable output, 3 a cell threw.";

/// The options that stand alone decide the action; the others say how it is done.
struct Flags {
  bool list = false;
  bool check = false;
};

/// Takes one of the values and names them all where it is none.
CLI::Validator one_of(std::vector<std::string> values) {
  const auto check = [values = std::move(values)](const std::string& value) {
    const bool known = std::find(values.begin(), values.end(), value) != values.end();
    return known ? std::string() : fmt::format("{} is none of {}", value, fmt::join(values, ", "));
  };
  return CLI::Validator(check, "");
}

void add_output_options(CLI::App& app, Options& options) {
  app.add_option("--format", options.format, "text, for people, or json, for programs")
      ->check(one_of({"text", "json"}))
      ->type_name("text|json");
  app.add_option("-o,--output", options.output, "write the report to FILE instead of stdout")
      ->type_name("FILE");
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
  app.add_option("--source", options.source, "show each cell's C++ source, or none")
      ->check(one_of({"cpp", "none"}))
      ->type_name("cpp|none");
  add_output_options(app, options);
}

void add_compare_options(CLI::App& app, Options& options) {
  auto& compare = options.compare;
  app.add_option("--cell", options.cells, "compare only this cell; repeatable")
      ->type_name("LABEL|@POSITION")
      ->allow_extra_args(false);
  app.add_option("--python", compare.python, "the Python whose PyTorch runs the twins")
      ->type_name("PATH")
      ->capture_default_str();
  app.add_option("--timeout", compare.timeout, "the time that it may take")
      ->check(CLI::Range(1, 86400))
      ->type_name("SECONDS")
      ->capture_default_str();
  app.add_option("--twins", compare.twins, "run the twins DIR/SLUG.py instead of those built in")
      ->type_name("DIR");
  auto* record =
      app.add_option("--record", compare.record, "keep what PyTorch gave, bit for bit, in DIR/SLUG.json");
  record->type_name("DIR");
  app.add_option(
         "--reference", compare.reference,
         "compare with the recordings DIR/SLUG.json, or with those built in, instead of a live PyTorch")
      ->type_name("DIR|built-in")
      ->excludes(record);
  add_output_options(app, options);
}

void prepare(CLI::App& app, const std::string& name) {
  app.name(name);
  app.footer(exit_codes);
  app.set_version_flag("--version",
                       fmt::format("{} {} (LibTorch {})", name, TORCHBOOK_VERSION, TORCH_VERSION));
  app.get_formatter()->column_width(34);
}

/// Parses; gives the answer to --help and --version.
std::optional<Answer> parse(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    return Answer{app.help()};
  } catch (const CLI::CallForVersion& version) {
    return Answer{version.what() + std::string("\n")};
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    throw UsageError(fmt::format("{} (see {} --help)", message, app.get_name()));
  }
}

Action action_of(const Flags& flags, Action otherwise) {
  if (flags.list && flags.check) throw UsageError("--list runs no cell, so it does not go with --check");
  if (flags.list) return Action::list;
  return flags.check ? Action::check : otherwise;
}

}  // namespace

Request parse_notebook_options(int argc, const char* const* argv, const std::string& slug) {
  Options options;
  Flags flags;
  CLI::App app("Runs a PyTorch notebook, ported to LibTorch, and holds each cell's output to its golden.");
  prepare(app, slug);
  add_options(app, options, flags);
  if (auto answer = parse(app, argc, argv)) return *answer;
  options.action = action_of(flags, Action::run);
  options.again = quoted(argv[0]);
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
  auto* site = add_command("site", "write pages that show each PyTorch cell beside its C++ cell");
  for (auto* command : {run, check, compare, site}) {
    command->add_option("SLUG", options.slugs, "the notebooks; without one, all of them");
  }
  for (auto* command : {run, check}) add_options(*command, options, flags);
  add_compare_options(*compare, options);
  add_output_options(*list, options);
  add_site_options(*site, options);
  if (auto answer = parse(app, argc, argv)) return *answer;
  if (list->parsed()) {
    options.action = Action::notebooks;
  } else if (compare->parsed()) {
    options.action = Action::compare;
  } else if (site->parsed()) {
    options.action = Action::site;
  } else {
    options.action = action_of(flags, run->parsed() ? Action::run : Action::check);
  }
  options.again = quoted(argv[0]) + (run->parsed() ? " run" : compare->parsed() ? " compare" : " check");
  return options;
}

}  // namespace torchbook::cli
