// Builds a port that was imported, and lets it check itself.
#include <fmt/format.h>
#include <torchbook/cli/import.h>
#include <torchbook/cli/port_check.h>

namespace torchbook::cli {

Imported judge_port(const ImportedPort& port, int seconds) {
  const auto& slug = port.golden.slug;
  const auto built = build_port(port.project, slug);
  Imported result{.report = port.left, .said = {}};
  if (built.refused) {
    result.code = exit_different;
    // A compiler without memory or disk is no fault of the C++, nor is C++ that a person may have changed.
    const bool ours = port.is_new && built.why_not.find(slug + ".cpp:") != std::string::npos;
    result.said.push_back(fmt::format("{} does not compile{}: {}", slug,
                                      ours ? ", which is a bug of torchbook" : "", built.why_not));
  } else if (built.program.empty()) {
    result.said.push_back(fmt::format("the port is not built: {}; this builds and checks it: {}",
                                      built.why_not, build_command(port.project, slug)));
  } else {
    auto checked = check_port(built.program, port.golden, seconds);
    result.code = checked.code;
    if (checked.why_not.empty()) {
      result.report = std::move(checked.report);
    } else {
      result.said.push_back(fmt::format("the cells are not checked: {}", checked.why_not));
    }
  }
  return result;
}

}  // namespace torchbook::cli
