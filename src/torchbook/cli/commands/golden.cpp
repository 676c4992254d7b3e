// `torchbook golden`: makes a golden from PyTorch's outputs for a twin.
#include <fmt/format.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/commands/golden.h>
#include <torchbook/cli/shared/goldens.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/reports.h>
#include <torchbook/cli/shared/selection.h>
#include <torchbook/cli/shared/twins.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/golden/golden.h>
#include <torchbook/report/verdict_words.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

namespace torchbook::cli {
namespace {

struct GoldenOptions {
  std::vector<std::string> slugs{};
  PythonOptions python{};
  std::string file{};
};

int make_golden(const GoldenOptions& options, const Program& program) {
  const auto selected = select_cells(selected_notebooks(options.slugs), {});
  require_one(selected, "golden");
  const auto& notebook = selected.front().notebook;
  const auto& twins = options.python.twins;
  if (!twins.empty())
    refuse_clashes({{"--output", options.file}},
                   {{"--twins", fmt::format("{}/{}.py", twins, notebook.slug)}});
  require_writable(options.file);
  const auto golden = python_golden(notebook, options.python);
  say(program, golden.raised);
  if (!golden.raised.empty()) return exit_threw;
  write_report(golden.text, options.file);
  return exit_equal;
}

}  // namespace

PythonGolden python_golden(const notebook::PortedNotebook& notebook, const PythonOptions& python) {
  auto recording = run_twin(std::string(notebook.slug), twin_of(notebook, python.twins), python);
  add_exceptions_of_the_port(recording.golden, notebook);
  PythonGolden made;
  for (const auto& error : recording.restored_errors) made.raised.push_back(report::twin_error(error));
  for (const auto& cell : recording.golden.cells) {
    const bool may_raise = cell.exception && cell.exception->kind == golden::ExceptionKind::not_ported;
    if (cell.error && !may_raise) {
      made.raised.push_back(report::twin_error(cell.label, cell.position, *cell.error));
    } else if (!cell.ran && made.raised.empty()) {
      throw UsageError(fmt::format("the twin ended before cell In [{}] (@{})", cell.label, cell.position));
    }
  }
  if (!made.raised.empty()) {
    made.raised.emplace_back("no golden is made; a cell may raise if its exception is 'not ported: …'");
    return made;
  }
  recording.golden.document = fmt::format("{} and {}", recording.fingerprint.torch, notebook.twin_file);
  made.text = golden::golden_text(recording.golden);
  return made;
}

void add_golden(CLI::App& app, const Program& program, Work& work) {
  auto options = std::make_shared<GoldenOptions>();
  auto& command = add_command(app, "golden", "run a twin under PyTorch, and write its outputs as a golden",
                              "Exit codes: 0 the golden is made, 2 wrong usage, missing or broken input, or\n"
                              "unwritable output, 3 a cell of the twin raised, so nothing is written.");
  command.add_option("SLUG", options->slugs, "the notebook, by name or a part of it");
  add_twin_options(command, options->python, "the time limit for PyTorch");
  command.add_option("-o,--output", options->file, "write the golden to FILE; - is stdout, the default")
      ->type_name("FILE");
  command.callback(
      [options, &program, &work] { work = [options, &program] { return make_golden(*options, program); }; });
}

}  // namespace torchbook::cli
