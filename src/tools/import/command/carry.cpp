// `torchbook carry`: runs a twin and saves the values that its port reads.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/command/carried_run.h>
#include <tools/import/command/notebook_here.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/twins.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/notebook/cells/table.h>
#include <torchbook/report/words.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::cli {
namespace {

struct CarryOptions {
  std::string slug{};
  PythonOptions python{};
  std::string file{};
};

/// Adds the carried values that the C++ of a cell reads: `nb.carried<Tensor>("X")`, `nb.carried_generator()`.
void add_places(std::string_view source, std::size_t position, CarriedPlaces& places) {
  constexpr std::string_view value = ".carried<", name_begins = ">(\"";
  for (auto at = source.find(value); at != source.npos; at = source.find(value, at + 1)) {
    const auto begin = source.find(name_begins, at) + name_begins.size();
    const auto name = source.substr(begin, source.find('"', begin) - begin);
    places.values.push_back({.cell = position, .name = std::string(name)});
  }
  if (source.find(".carried_generator()") != source.npos) places.generators.push_back({.cell = position});
}

CarriedPlaces places_in(const std::vector<notebook::PortCell>& port) {
  CarriedPlaces places;
  std::size_t position = 0;
  for (const auto& cell : port) {
    if (!cell.restored) add_places(cell.source, ++position, places);
  }
  return places;
}

/// Returns the twin of a notebook, from this folder or from that of `--twins`. Throws UsageError, with file
/// and line, if its cells are not those of the port.
Twin twin_beside(const std::vector<notebook::PortCell>& port, const std::string& port_file,
                 const std::string& slug, const PythonOptions& python) {
  const auto file = fmt::format("{}{}.py", python.twins.empty() ? "" : python.twins + '/', slug);
  const auto text = read_file(file);
  return notebook::in_file<UsageError>(file, [&] {
    Twin twin{.file = file, .cells = notebook::parse_twin(text)};
    notebook::table_of(port, twin.cells, port_file);  // throws if the cells differ
    return twin;
  });
}

int carry_values(const CarryOptions& options) {
  const auto slug = notebook_here(options.slug);
  const auto port_file = slug + ".cpp";
  const auto text = read_file(port_file);
  const auto port =
      notebook::in_file<UsageError>(port_file, [&] { return notebook::parse_port(text, slug); });
  const auto places = places_in(port);
  if (places.values.empty() && places.generators.empty())
    throw UsageError(
        fmt::format("{} asks for no value: it has neither nb.carried<T>(\"name\") nor "
                    "nb.carried_generator()",
                    port_file));
  const auto file = options.file.empty() ? slug + ".carried" : options.file;
  require_writable(file);
  const CarriedRun run;
  auto twin = twin_beside(port, port_file, slug, options.python);
  twin.carried_values = run.values_file();
  twin.carried_types = run.types_file();
  run_twin(slug, twin, options.python, carry);
  std::vector<std::string> python;
  python.reserve(twin.cells.size());
  for (const auto& cell : twin.cells) python.push_back(cell.source);
  write_file(file, run.file_for(places, python));
  write_stdout(fmt::format("wrote {}: {}{}\n", file, report::counted(places.values.size(), "value"),
                           places.generators.empty() ? "" : " and the generator"));
  return exit_equal;
}

}  // namespace

void add_carry(CLI::App& app, const Program& /*program*/, Work& work) {
  auto options = std::make_shared<CarryOptions>();
  auto& command =
      add_command(app, "carry", "run a twin, and save the values that its port carries",
                  "Exit codes: 0 the file is written, 2 wrong usage, no such value, no PyTorch, or\n"
                  "unwritable output.");
  command.add_option("SLUG", options->slug, "the notebook of this folder; without one, the only one");
  add_twin_options(command, options->python, "the time limit for PyTorch");
  command.add_option("-o,--output", options->file, "write FILE instead of SLUG.carried beside the port")
      ->type_name("FILE");
  command.callback([options, &work] { work = [options] { return carry_values(*options); }; });
}

}  // namespace torchbook::cli
