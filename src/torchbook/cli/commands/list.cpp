// `torchbook list`: lists the notebooks, or the cells of those that are named.
#include <fmt/format.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/commands/list.h>
#include <torchbook/cli/shared/reports.h>
#include <torchbook/cli/shared/selection.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/report/programs/json.h>
#include <torchbook/report/terminal/terminal.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <span>

namespace torchbook::cli {
namespace {

struct ListOptions {
  std::vector<std::string> slugs{};
  Output output{};
};

std::vector<notebook::Transcript> outlines_of(std::span<const notebook::PortedNotebook> notebooks) {
  std::vector<notebook::Transcript> outlines;
  outlines.reserve(notebooks.size());
  for (const auto& notebook : notebooks) outlines.push_back(notebook::outline(notebook));
  return outlines;
}

std::string list_text(std::span<const notebook::Transcript> outlines) {
  std::string text;
  for (const auto& outline : outlines)
    text += fmt::format("{:<32}{:>3} cells  {}\n", outline.slug, outline.cells().size(), outline.document);
  return text;
}

int list_notebooks(const Output& output) {
  const auto outlines = outlines_of(notebook::linked_notebooks());
  write_report(output.format == Format::json ? report::json_outline(outlines) : list_text(outlines),
               output.file);
  return exit_equal;
}

}  // namespace

int list_cells(const std::vector<std::string>& slugs, const Output& output, const Program& program) {
  const auto outlines = outlines_of(selected_notebooks(slugs));
  std::string report;
  if (output.format == Format::json) {
    report = program.several ? report::json_outline(outlines) : report::json_outline(outlines.front());
  } else {
    for (const auto& cells : outlines) {
      if (program.several) report += fmt::format("{}== {}\n", report.empty() ? "" : "\n", cells.slug);
      report += report::outline_text(cells);
    }
  }
  write_report(report, output.file);
  return exit_equal;
}

void add_list(CLI::App& app, const Program& program, Work& work) {
  auto options = std::make_shared<ListOptions>();
  auto& command = add_command(app, "list", "list the notebooks, or the cells of the named ones",
                              "Exit codes: 0 done, 2 wrong usage or unwritable output.");
  command.add_option("SLUG", options->slugs, "the notebooks whose cells are listed, by name or a part of it");
  add_output_options(command, options->output);
  command.callback([options, &program, &work] {
    work = [options, &program] {
      return options->slugs.empty() ? list_notebooks(options->output)
                                    : list_cells(options->slugs, options->output, program);
    };
  });
}

}  // namespace torchbook::cli
