// `torchbook check --operators TRACE`: which operators a program calls that the notebooks do not.
#include <fmt/format.h>
#include <tools/part/trace_file.h>
#include <torchbook/cli/commands/check.h>
#include <torchbook/cli/shared/reports.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/report/words.h>

#include <map>
#include <string_view>

namespace torchbook::cli {
namespace {

/// How often each operator of ATen is called, by its name without the overload: `aten::add`.
using Calls = std::map<std::string, std::size_t>;

void add_calls(Calls& calls, std::string_view bytes, const std::string& file) {
  part::Texts texts;
  const auto trace = notebook::in_file<UsageError>(file, [&] { return part::read_trace(bytes, texts); });
  for (const auto& operation : trace.operations) {
    const auto& name = texts[operation.name];
    ++calls[name.substr(0, name.find('.'))];
  }
}

std::string text_of(const Calls& of_program, const Calls& of_notebooks, const Calls& untested,
                    const std::string& file) {
  auto text = fmt::format("{} calls {}, and the notebooks call {} of them; they call {} in all\n", file,
                          report::counted(of_program.size(), "operator"), of_program.size() - untested.size(),
                          of_notebooks.size());
  if (!untested.empty()) text += "not called by the notebooks:\n";
  for (const auto& [name, count] : untested)
    text += fmt::format("  {:<40} {}\n", name, report::counted(count, "call"));
  return text;
}

}  // namespace

int tell_operators(std::span<const notebook::PortedNotebook> notebooks, const std::string& file,
                   const Output& output) {
  Calls of_program;
  add_calls(of_program, MappedFile(file).bytes(), file);
  Calls of_notebooks;
  for (const auto& each : notebooks)
    add_calls(of_notebooks, notebook::run_traced(each).trace, std::string(each.slug));
  Calls untested;
  for (const auto& [name, count] : of_program) {
    if (!of_notebooks.contains(name)) untested.emplace(name, count);
  }
  if (output.format == Format::json) {
    const golden::Json report = {
        {"program", of_program}, {"notebooks", of_notebooks}, {"not_called", untested}};
    write_report(golden::text_of_json(report, 2), output.file);
  } else {
    write_report(text_of(of_program, of_notebooks, untested, file), output.file);
  }
  return exit_equal;
}

}  // namespace torchbook::cli
