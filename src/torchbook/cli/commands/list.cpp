// `torchbook list`: lists the notebooks, or the cells of those that are named.
#include <fmt/format.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/shared/reports.h>
#include <torchbook/cli/shared/selection.h>
#include <torchbook/cli/system/exit.h>
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

/// Returns a line for each notebook.
std::string list_text(std::span<const notebook::Transcript> outlines) {
  std::string text;
  for (const auto& outline : outlines)
    text += fmt::format("{:<32}{:>3} cells  {}\n", outline.slug, outline.cells().size(), outline.document);
  return text;
}

/// Returns a line for each cell.
std::string cells_text(std::span<const notebook::Transcript> outlines) {
  std::string text;
  for (const auto& cells : outlines) {
    text += fmt::format("{}== {}\n", text.empty() ? "" : "\n", cells.slug) + report::outline_text(cells);
  }
  return text;
}

int list(const ListOptions& options) {
  const bool all = options.slugs.empty();
  const auto outlines =
      all ? outlines_of(notebook::linked_notebooks()) : outlines_of(selected_notebooks(options.slugs));
  const auto& output = options.output;
  write_report(output.format == Format::json ? report::json_outline(outlines)
               : all                         ? list_text(outlines)
                                             : cells_text(outlines),
               output.file);
  return exit_equal;
}

}  // namespace

void add_list(CLI::App& app, const Program& /*program*/, Work& work) {
  auto options = std::make_shared<ListOptions>();
  auto& command = add_command(app, "list", "list the notebooks, or the cells of those that are named",
                              "Exit codes: 0 done, 2 wrong usage or unwritable output.");
  command.add_option("SLUG", options->slugs, "the notebooks whose cells are listed, by name or a part of it");
  add_output_options(command, options->output);
  command.callback([options, &work] { work = [options] { return list(*options); }; });
}

}  // namespace torchbook::cli
