// `torchbook part`: compares two traces.
#include <fmt/format.h>
#include <tools/part/compared_traces.h>
#include <tools/part/difference.h>
#include <tools/site/site.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/reports.h>
#include <torchbook/cli/shared/terminal.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/report/programs/json.h>
#include <torchbook/report/terminal/terminal.h>

#include <CLI/CLI.hpp>
#include <memory>

namespace torchbook::cli {
namespace {

struct PartOptions {
  std::string here{};   ///< the trace of C++ …
  std::string there{};  ///< … and that of Python
  Output output{};
  Colour colour = Colour::automatic;
};

part::ReadTrace trace_in(std::string_view bytes, const std::string& path, part::Texts& texts) {
  return notebook::in_file<UsageError>(path, [&] { return part::read_trace(bytes, texts); });
}

std::string text_of(const report::ComparedTraces& traces, const PartOptions& options) {
  const auto format = options.output.format;
  if (format == Format::json) return report::traces_json(traces);
  if (format == Format::html) return report::traces_html(traces);
  return report::traces_text(traces, wants_colour(options.colour, options.output));
}

int part_traces(const PartOptions& options) {
  const MappedFile here_file(options.here);
  const MappedFile there_file(options.there);
  part::Texts texts;
  const auto here = trace_in(here_file.bytes(), options.here, texts);
  const auto there = trace_in(there_file.bytes(), options.there, texts);
  if (here.operations.empty() && there.operations.empty())
    throw UsageError(fmt::format("{} and {} have no operations, so there is nothing to compare", options.here,
                                 options.there));
  const auto comparison = part::compare(here, there, texts);
  const report::ComparedTraces traces{.here = here,
                                      .there = there,
                                      .texts = texts,
                                      .comparison = comparison,
                                      .here_name = options.here,
                                      .there_name = options.there};
  write_report(text_of(traces, options), options.output.file);
  const bool is_equal = comparison.differences.empty() && here.finished && there.finished;
  return is_equal ? exit_equal : exit_different;
}

}  // namespace

void add_part(CLI::App& app, const Program& /*program*/, Work& work) {
  auto options = std::make_shared<PartOptions>();
  auto& command =
      add_command(app, "part", "tell where two traces part, of C++ and of Python",
                  "Exit codes: 0 the traces are equal to the bit, 1 they differ or one was cut off,\n"
                  "2 wrong usage, or a file is missing or no trace.");
  command
      .add_option("HERE", options->here, "the trace of the program that is examined, such as the one in C++")
      ->required();
  command
      .add_option("THERE", options->there, "the trace of the program that it should equal, such as Python's")
      ->required();
  add_output_options(command, options->output, "text, for people, json, for programs, or html, a page",
                     {Format::text, Format::json, Format::html});
  add_colour_option(command, options->colour);
  command.callback([&command, options, &work] {
    const auto format = options->output.format;
    if (format != Format::text) refuse_in(format, command, {"--color"});
    work = [options] { return part_traces(*options); };
  });
}

}  // namespace torchbook::cli
