// Builds and checks the port of an import.
#include <fmt/format.h>
#include <tools/import/command/import.h>
#include <tools/import/command/port_check.h>

#include <utility>

namespace torchbook::cli {

static Imported judged(const ImportedPort& port, const BuiltPort& built, CheckedPort checked) {
  const auto& slug = port.golden.slug;
  Imported result;
  if (built.refused) {
    result.code = exit_different;
    result.said.push_back(fmt::format("{} does not compile: {}", slug, built.why_not));
  } else if (built.program.empty()) {
    result.said.push_back(fmt::format("the port is not built: {}; this builds and checks it: {}",
                                      built.why_not, build_command(port.project, slug)));
  } else {
    result.code = checked.code;
    if (checked.why_not.empty()) {
      result.report += checked.report;
    } else {
      result.said.push_back(fmt::format("the cells are not checked: {}", checked.why_not));
    }
  }
  return result;
}

Imported judge_port(const ImportedPort& port, int seconds) {
  const auto built = build_port(port.project, port.golden.slug);
  CheckedPort checked;
  if (!built.program.empty())
    checked = check_port(built.program, port.golden, seconds, {.tells_reasons = false});
  return judged(port, built, std::move(checked));
}

}  // namespace torchbook::cli
