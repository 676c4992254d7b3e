// Compares two traces.
#include <fmt/format.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/mapped_file.h>
#include <torchbook/cli/part.h>
#include <torchbook/cli/terminal.h>
#include <torchbook/part/difference.h>
#include <torchbook/report/compared_traces.h>
#include <torchbook/report/programs/json.h>
#include <torchbook/report/site/site.h>
#include <torchbook/report/terminal/terminal.h>

namespace torchbook::cli {
namespace {

part::Trace trace_in(std::string_view bytes, const std::string& path, part::Texts& texts) {
  try {
    return part::read_trace(bytes, texts);
  } catch (const part::TraceError& error) {
    throw UsageError(fmt::format("{}: {}", path, error.what()));
  }
}

std::string text_of(const report::ComparedTraces& traces, const Options& options) {
  if (options.format == Format::json) return report::traces_json(traces);
  if (options.format == Format::html) return report::traces_html(traces);
  return report::traces_text(traces, terminal_style(options).colour);
}

}  // namespace

Outcome part_traces(const Options& options) {
  const MappedFile here_file(options.here);
  const MappedFile there_file(options.there);
  part::Texts texts;
  const auto here = trace_in(here_file.bytes(), options.here, texts);
  const auto there = trace_in(there_file.bytes(), options.there, texts);
  const auto comparison = part::compare(here, there, texts);
  const report::ComparedTraces traces{.here = here,
                                      .there = there,
                                      .texts = texts,
                                      .comparison = comparison,
                                      .here_name = options.here,
                                      .there_name = options.there};
  Outcome outcome;
  const bool is_equal = comparison.differences.empty() && here.finished && there.finished;
  outcome.code = is_equal ? exit_equal : exit_different;
  outcome.report = text_of(traces, options);
  return outcome;
}

}  // namespace torchbook::cli
