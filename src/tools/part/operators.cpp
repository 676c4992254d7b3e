// Tells which operators a program calls that other programs do not.
#include <fmt/format.h>
#include <tools/part/description.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/report/words.h>

#include <map>
#include <string_view>

namespace torchbook::trace_diff {
namespace {

/// How often each operator of ATen is called, by its name without the overload: `aten::add`.
using Calls = std::map<std::string, std::size_t>;

Calls calls_of(const ReadTrace& trace, const Texts& texts) {
  Calls calls;
  for (const auto& operation : trace.operations) {
    const auto& name = texts[operation.name];
    ++calls[name.substr(0, name.find('.'))];
  }
  return calls;
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

std::string operators_report(const ReadTrace& program, const ReadTrace& notebooks, const Texts& texts,
                             const std::string& file, bool json) {
  const auto of_program = calls_of(program, texts);
  const auto of_notebooks = calls_of(notebooks, texts);
  Calls untested;
  for (const auto& [name, count] : of_program) {
    if (!of_notebooks.contains(name)) untested.emplace(name, count);
  }
  if (!json) return text_of(of_program, of_notebooks, untested, file);
  const golden::Json report = {
      {"program", of_program}, {"notebooks", of_notebooks}, {"not_called", untested}};
  return golden::text_of_json(report, 2);
}

}  // namespace torchbook::trace_diff
