// `torchbook check`: shows verdicts.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/commands/check.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/shared/goldens.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/reports.h>
#include <torchbook/cli/shared/selection.h>
#include <torchbook/cli/system/cleanup.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/notebook/fingerprint.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace torchbook::cli {
namespace {

/// A notebook before it runs, and its golden.
struct Prepared {
  const notebook::PortedNotebook* notebook = nullptr;
  std::optional<std::set<std::size_t>> positions{};
  ChosenGolden chosen{};
  std::optional<std::string> failure{};  // why there is no golden
};

/// Reads the golden of a notebook. Throws UsageError if a golden given on the command line is broken or
/// belongs to another notebook.
Prepared prepared(const SelectedNotebook& selected, const std::string& golden, bool several,
                  const notebook::Fingerprint& here) {
  const auto& notebook = selected.notebook;
  Prepared one{.notebook = &notebook, .positions = selected.positions};
  try {
    one.chosen = golden.empty() ? built_in_golden(notebook, here) : named_golden(notebook, golden, here);
  } catch (const UsageError& error) {
    one.failure = error.what();
    const std::string of = several ? fmt::format("{}: ", notebook.slug) : "";
    if (!golden.empty()) throw UsageError(of + *one.failure);
  }
  return one;
}

/// Runs a notebook and judges it by its golden.
golden::JudgedTranscript run_and_judge(Prepared one) {
  if (one.failure) {
    return {
        .transcript = notebook::outline(*one.notebook), .judgements = {}, .failure = std::move(one.failure)};
  }
  return judged_by(one.chosen, *one.notebook, run_until_crash(*one.notebook, one.positions));
}

SameCommand same_command(const CheckOptions& options, const Program& program, const std::string& command) {
  std::vector<std::string> words;
  if (!options.golden.empty()) words = {"--golden", options.golden};
  if (!options.exceptions.empty()) words.insert(words.end(), {"--exceptions", options.exceptions});
  const auto accept = options.report.accept;
  if (accept != golden::Accept::equal) words.insert(words.end(), {"--accept", option_word(accept)});
  return same_command(program, command, words);
}

/// Returns the work that the command line asks for. Throws UsageError if an option would have no
/// effect.
Work check_work(const CLI::App& app, const CheckOptions& options, const Program& program) {
  const auto format = options.report.output.format;
  if (format != Format::text) refuse_in(format, app, {"--quiet", "--color"});
  if (format == Format::text && app.get_option("--source")->count() > 0)
    throw UsageError("check shows no source; run does, and check with --format json");
  return [&options, &program] { return check(options, program, "check"); };
}

}  // namespace

void add_check_options(CLI::App& app, CheckOptions& options, std::initializer_list<Format> formats) {
  auto& report = options.report;
  add_cell_options(app, report);
  app.add_flag("--times", report.times, "show how long each cell took");
  app.add_option("--golden", options.golden,
                 "compare with this golden instead of the one built in; - is stdin")
      ->type_name("FILE");
  add_exceptions_option(app, options.exceptions);
  add_source_option(app, report);
  add_verdict_options(app, report);
  add_output_options(app, report.output,
                     formats.size() > 2 ? "text, json for programs, or a Jupyter notebook"
                                        : "text for people, or json for programs",
                     formats);
  exclude(app, "--quiet", {"--times", "--source"});
}

int check(const CheckOptions& options, const Program& program, const std::string& command) {
  const auto& report = options.report;
  refuse_impossible_files(report);
  refuse_clashes({{"--output", report.output.file}, {"--junit", report.junit}},
                 {{"--golden", options.golden}, {"--exceptions", options.exceptions}});
  const auto selected = select_cells(selected_notebooks(report.slugs), report.cells);
  if (!options.golden.empty()) require_one(selected, "--golden");
  JudgedRuns runs{.all = {}, .again = same_command(options, program, command)};
  if (program.several && options.golden.empty())
    runs.trace = cli::same_command(program, "compare", {"--trace"});
  refuse_impossible_report(report, selected, runs.again);
  std::vector<Prepared> all;  // all are prepared before the first one runs
  all.reserve(selected.size());
  runs.all.reserve(selected.size());
  const auto here = notebook::fingerprint();
  const auto exceptions = exceptions_in(options.exceptions);
  for (const auto& notebook : selected) {
    all.push_back(prepared(notebook, options.golden, program.several, here));
    if (!all.back().failure) add_exceptions(all.back().chosen.golden, exceptions);
  }
  if (report.isolates() && can_be_read_again(options.golden) && can_be_read_again(options.exceptions))
    start_again_on_faults();
  for (auto& one : all) runs.all.push_back(run_and_judge(std::move(one)));
  return report_runs(std::move(runs), report, program);
}

void add_check(CLI::App& app, const Program& program, Work& work) {
  auto options = std::make_shared<CheckOptions>();
  auto& command = add_command(
      app, "check", "run notebooks, and show only whether each output is right",
      fmt::format("Takes about a second for torchbook's five notebooks.\n\n{}", exit_codes_of_runs));
  add_slugs(command, options->report.slugs);
  add_check_options(command, *options, {Format::text, Format::json});
  command
      .add_option("--operators", options->operators,
                  "check nothing; list the operators in TRACE, a trace of a program by torchbook::Trace or "
                  "torchbook.trace, that none of the notebooks calls")
      ->type_name("TRACE");
  exclude(command, "--operators",
          {"--cell", "--golden", "--exceptions", "--accept", "--junit", "--source", "--times", "--failed",
           "--quiet", "--color"});
  command.callback([&command, options, &program, &work] {
    work = check_work(command, *options, program);
    if (options->operators.empty()) return;
    work = [options, &program] {
      const auto& report = options->report;
      if (report.slugs.empty())
        return tell_operators(notebook::linked_notebooks(), options->operators, report.output, program);
      return tell_operators(selected_notebooks(report.slugs), options->operators, report.output, program);
    };
  });
}

void add_check_without_command(CLI::App& app, const Program& program, Work& work) {
  auto options = std::make_shared<CheckOptions>();
  app.footer(exit_codes_of_runs);
  add_check_options(app, *options, {Format::text, Format::json});
  app.callback([&app, options, &program, &work] {
    if (!app.get_subcommands().empty()) return;
    const auto given = app.get_options(
        [](const CLI::Option* option) { return option->nonpositional() && option->count() > 0; });
    options->report.quiet = options->report.quiet || given.empty();
    work = check_work(app, *options, program);
    if (!given.empty()) return;
    work = [checked = std::move(work), &program] {
      const int code = checked();
      say(program,
          {fmt::format("next: {0} run SLUG shows a notebook, {0} list names them, {0} --help says more",
                       program.name)});
      return code;
    };
  });
}

}  // namespace torchbook::cli
