// `torchbook run`, and the program of a notebook: shows transcripts.
#include <torchbook/cli/commands/check.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/commands/list.h>

#include <CLI/CLI.hpp>
#include <memory>

namespace torchbook::cli {
namespace {

void add_run_options(CLI::App& app, CheckOptions& options) {
  auto& report = options.report;
  report.transcripts = true;
  app.add_flag("--heatmap", report.heatmap, "draw the tensors that cells print and display, in colours");
  add_check_options(app, options, {Format::text, Format::json, Format::ipynb});
  exclude(app, "--quiet", {"--heatmap"});
}

/// Throws UsageError if an option would have no effect.
void refuse_needless(const CLI::App& app, const CheckOptions& options) {
  const auto format = options.report.output.format;
  if (format != Format::text) refuse_in(format, app, {"--heatmap", "--quiet", "--color"});
  if (format == Format::ipynb) refuse_in(format, app, {"--failed", "--times"});
}

/// The options of a notebook's program: those of `run`, and some that replace commands.
struct NotebookOptions {
  CheckOptions check{};
  bool verdicts = false;
  bool list = false;
};

void add_notebook_options(CLI::App& app, NotebookOptions& options) {
  app.add_flag("--check", options.verdicts, "show the verdicts without the transcript");
  app.add_flag("--list", options.list, "list the cells, run none");
  add_run_options(app, options.check);
  exclude(app, "--check", {"--heatmap", "--source", "--quiet"});
  exclude(app, "--list",
          {"--check", "--heatmap", "--source", "--quiet", "--times", "--failed", "--color", "--cell",
           "--golden", "--accept", "--junit"});
}

void refuse_needless_in_notebook(const CLI::App& app, const NotebookOptions& options) {
  const auto format = options.check.report.output.format;
  refuse_needless(app, options.check);
  if (format != Format::text) refuse_in(format, app, {"--check"});
  if (format == Format::ipynb) refuse_in(format, app, {"--list"});
}

}  // namespace

void add_run(CLI::App& app, const Program& program, Work& work) {
  auto options = std::make_shared<CheckOptions>();
  auto& command =
      add_command(app, "run", "run notebooks, and show their cells with outputs", exit_codes_of_runs);
  add_slugs(command, options->report.slugs);
  add_run_options(command, *options);
  command.callback([&command, options, &program, &work] {
    refuse_needless(command, *options);
    work = [options, &program] { return check(*options, program, "run"); };
  });
}

void add_run_of_notebook(CLI::App& app, const Program& program, Work& work) {
  auto options = std::make_shared<NotebookOptions>();
  options->check.report.slugs = {program.name};
  app.footer(exit_codes_of_runs);
  add_notebook_options(app, *options);
  app.callback([&app, options, &program, &work] {
    refuse_needless_in_notebook(app, *options);
    auto& report = options->check.report;
    report.transcripts = !options->verdicts;
    if (options->list) {
      work = [&report, &program] { return list_cells(report.slugs, report.output, program); };
    } else {
      work = [options, &program] { return check(options->check, program, ""); };
    }
  });
}

}  // namespace torchbook::cli
