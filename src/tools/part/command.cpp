// `torchbook part`: compares two traces.
#include <fmt/format.h>
#include <tools/part/description.h>
#include <tools/part/difference.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/terminal.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/notebook/kernels.h>
#include <torchbook/report/programs/json.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>

namespace torchbook::cli {
namespace {

struct PartOptions {
  std::string here{};   ///< the trace of C++ …
  std::string there{};  ///< … and that of Python
  Output output{};
  Colour colour = Colour::automatic;
  bool partings = false;   ///< whether to answer `torchbook compare --trace`
  bool operators = false;  ///< whether to answer `torchbook check --operators`
};

trace_diff::ReadTrace trace_in(std::string_view bytes, const std::string& path, trace_diff::Texts& texts) {
  return notebook::in_file<UsageError>(path, [&] { return trace_diff::read_trace(bytes, texts); });
}

/// Reads from stdin the places that marks represent, and the cells that differ. Returns their partings, or if
/// no cell differs, the unshown_words().
std::string partings_text(trace_diff::ComparedTraces& traces) {
  const golden::Json asked = golden::parse_json(read_stdin());
  for (const auto& [mark, place] : asked.at("places").items())
    traces.places[mark] = {.name = place.at("name"), .line = place.at("line")};
  std::map<std::size_t, bool> cells;
  for (const auto& [position, threw] : asked.at("cells").items()) cells[std::stoull(position)] = threw;
  golden::Json answer = golden::Json::object();
  for (const auto& [position, partings] : trace_diff::partings_of(traces, cells))
    answer[std::to_string(position)] = report::partings_json(partings);
  if (cells.empty()) answer["unshown"] = trace_diff::unshown_words(traces);
  return golden::text_of_json(answer, -1);
}

std::string text_of(trace_diff::ComparedTraces& traces, const PartOptions& options) {
  if (options.partings) return partings_text(traces);
  if (options.output.format == Format::json) return trace_diff::traces_json(traces);
  return trace_diff::traces_text(traces, wants_colour(options.colour, options.output));
}

int part_traces(const PartOptions& options) {
  const auto here_file = read_file(options.here, any_size);
  const auto there_file = read_file(options.there, any_size);
  trace_diff::Texts texts;
  const auto here = trace_in(here_file, options.here, texts);
  const auto there = trace_in(there_file, options.there, texts);
  if (options.operators) {
    const bool json = options.output.format == Format::json;
    write_report(trace_diff::operators_report(here, there, texts, options.here, json), options.output.file);
    return exit_equal;
  }
  if (here.operations.empty() && there.operations.empty())
    throw UsageError(fmt::format("{} and {} have no operations, so there is nothing to compare", options.here,
                                 options.there));
  const auto comparison = trace_diff::compare(here, there, texts);
  trace_diff::ComparedTraces traces{.here = here,
                                    .there = there,
                                    .texts = texts,
                                    .comparison = comparison,
                                    .here_name = options.here,
                                    .there_name = options.there,
                                    .best_capability = notebook::best_capability()};
  write_report(text_of(traces, options), options.output.file);
  const bool is_equal = comparison.differences.empty() && here.finished && there.finished;
  return is_equal ? exit_equal : exit_different;
}

}  // namespace

void add_part(CLI::App& app, const Program& /*program*/, Work& work) {
  auto options = std::make_shared<PartOptions>();
  auto& command =
      add_command(app, "part", "find the first difference between a trace of C++ and one of Python",
                  "Exit codes: 0 the traces are equal to the bit, 1 they differ or one was cut off,\n"
                  "2 wrong usage, or a file is missing or no trace.");
  command
      .add_option("HERE", options->here, "the trace of the program that is examined, such as the one in C++")
      ->required();
  command
      .add_option("THERE", options->there, "the trace of the program that it should equal, such as Python's")
      ->required();
  add_output_options(command, options->output);
  add_colour_option(command, options->colour);
  // The core asks by these; help does not list them.
  command.add_flag("--partings", options->partings)->group("");
  command.add_flag("--operators", options->operators)->group("");
  command.callback([&command, options, &work] {
    const auto format = options->output.format;
    if (format != Format::text) refuse_in(format, command, {"--color"});
    work = [options] { return part_traces(*options); };
  });
}

}  // namespace torchbook::cli
