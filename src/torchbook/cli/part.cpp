// Compares two traces.
#include <fmt/format.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/mapped_file.h>
#include <torchbook/cli/part.h>
#include <torchbook/cli/terminal.h>
#include <torchbook/part/difference.h>
#include <torchbook/report/programs/parting.h>
#include <torchbook/report/site/parting.h>
#include <torchbook/report/terminal/parting.h>

namespace torchbook::cli {
namespace {

part::Trace trace_in(std::string_view bytes, const std::string& path, part::Texts& texts) {
  try {
    return part::read_trace(bytes, texts);
  } catch (const part::TraceError& error) {
    throw UsageError(fmt::format("{}: {}", path, error.what()));
  }
}

std::string text_of(const report::Parting& parting, const Options& options) {
  if (options.format == Format::json) return report::parting_json(parting);
  if (options.format == Format::html) return report::parting_html(parting);
  return report::parting_text(parting, terminal_style(options).colour);
}

}  // namespace

Outcome part_traces(const Options& options) {
  const MappedFile here_file(options.here);
  const MappedFile there_file(options.there);
  part::Texts texts;
  const auto here = trace_in(here_file.bytes(), options.here, texts);
  const auto there = trace_in(there_file.bytes(), options.there, texts);
  const auto verdict = part::compare(here, there, texts);
  const report::Parting parting{.here = here,
                                .there = there,
                                .texts = texts,
                                .verdict = verdict,
                                .here_name = options.here,
                                .there_name = options.there};
  Outcome outcome;
  const bool is_equal = verdict.differences.empty() && here.finished && there.finished;
  outcome.code = is_equal ? exit_equal : exit_different;
  outcome.report = text_of(parting, options);
  return outcome;
}

}  // namespace torchbook::cli
