// `torchbook part`: compares two traces.
#include <fmt/format.h>
#include <tools/part/description.h>
#include <tools/part/difference.h>
#include <tools/part/nonfinite.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/terminal.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/notebook/kernels.h>
#include <torchbook/notebook/parse_integer.h>
#include <torchbook/report/programs/json.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

namespace torchbook::cli {
namespace {

constexpr std::size_t most_of_a_trace = std::size_t{4} << 30;  // bytes

struct PartOptions {
  std::string here{};   ///< the trace of C++ …
  std::string there{};  ///< … and that of Python; empty: only `here` is examined
  trace_diff::Above above{};
  Output output{};
  Colour colour = Colour::automatic;
  bool partings = false;   ///< whether to answer `torchbook compare --trace`
  bool operators = false;  ///< whether to answer `torchbook check --operators`
};

std::string bytes_of(const std::string& path) {
  std::error_code error;
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
    throw UsageError(path + " is no trace: it is not a regular file");
  return read_file(path, most_of_a_trace);
}

trace_diff::ReadTrace trace_in(std::string_view bytes, const std::string& path, trace_diff::Texts& texts) {
  return notebook::in_file<UsageError>(path, [&] { return trace_diff::read_trace(bytes, texts); });
}

/// Returns the limit that a value of `--above` names, or nullopt if it names none.
std::optional<trace_diff::Above> above_in(const std::string& word) {
  const auto value = word.substr(word.find('=') + 1);
  if (word.starts_with("ulps=")) {
    const auto ulps = notebook::parse_integer<std::uint64_t>(value);
    return ulps && *ulps > 0 ? std::optional(trace_diff::Above{.ulps = *ulps}) : std::nullopt;
  }
  double rtol = 0;
  const bool is_number = CLI::detail::lexical_cast(value, rtol) && std::isfinite(rtol) && rtol > 0;
  return word.starts_with("rtol=") && is_number ? std::optional(trace_diff::Above{.rtol = rtol})
                                                : std::nullopt;
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

int part_trace(const PartOptions& options) {
  const auto file = bytes_of(options.here);
  trace_diff::Texts texts;
  const auto trace = trace_in(file, options.here, texts);
  const bool json = options.output.format == Format::json;
  write_report(trace_diff::nonfinite_report(trace, texts, options.here, json), options.output.file);
  const bool found = trace_diff::first_nonfinite(trace, texts).operation != trace_diff::no_operation;
  return found ? exit_different : exit_equal;
}

int part_traces(const PartOptions& options) {
  const auto here_file = bytes_of(options.here);
  const auto there_file = bytes_of(options.there);
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
  const auto comparison = trace_diff::compare(here, there, texts, options.above);
  trace_diff::ComparedTraces traces{.here = here,
                                    .there = there,
                                    .texts = texts,
                                    .comparison = comparison,
                                    .here_name = options.here,
                                    .there_name = options.there,
                                    .best_capability = notebook::best_capability()};
  write_report(text_of(traces, options), options.output.file);
  const bool is_equal =
      comparison.differences.empty() && comparison.in_part == 0 && here.finished && there.finished;
  return is_equal ? exit_equal : exit_different;
}

}  // namespace

void add_part(CLI::App& app, const Program& /*program*/, Work& work) {
  auto options = std::make_shared<PartOptions>();
  auto& command = add_command(
      app, "part", "find the first difference between a trace of C++ and one of Python",
      "With one trace, it finds the first operation that gave NaN or infinity out of finite inputs.\n"
      "Exit codes: 0 the traces are equal, or no operation gave NaN or infinity,\n"
      "1 they differ, one was cut off or is too short to judge --above, or an operation did,\n"
      "2 wrong usage, or a file is missing or no trace.");
  command
      .add_option("HERE", options->here, "the trace of the program that is examined, such as the one in C++")
      ->required();
  command.add_option("THERE", options->there,
                     "the trace of the program that it should equal, such as Python's");
  command
      .add_option_function<std::string>(
          "--above", [options](const std::string& word) { options->above = *above_in(word); },
          "find the first difference larger than N ulps, or than X relative to the value there")
      ->check(CLI::Validator(
          [](const std::string& word) {
            return above_in(word)
                       ? ""
                       : word + " is neither ulps=N, such as ulps=4, nor rtol=X, such as rtol=1e-5";
          },
          ""))
      ->type_name("ulps=N|rtol=X");
  add_output_options(command, options->output);
  add_colour_option(command, options->colour);
  // The core asks by these; help does not list them.
  command.add_flag("--partings", options->partings)->group("");
  command.add_flag("--operators", options->operators)->group("");
  command.callback([&command, options, &work] {
    const auto format = options->output.format;
    if (format != Format::text) refuse_in(format, command, {"--color"});
    if (options->there.empty() && options->above.any())
      throw CLI::ValidationError("--above needs two traces");
    work = [options] { return options->there.empty() ? part_trace(*options) : part_traces(*options); };
  });
}

}  // namespace torchbook::cli
