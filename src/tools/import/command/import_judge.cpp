// Builds an imported port and runs its check.
#include <fmt/format.h>
#include <tools/import/command/import.h>
#include <tools/import/command/port_check.h>
#include <tools/import/command/translation.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/report/quoted.h>

#include <filesystem>
#include <map>

namespace torchbook::cli {
namespace {

/// Maps the positions of cells to the reasons why their C++ is not kept.
using Faults = std::map<std::size_t, std::string>;

/// Returns the cells that contain these lines of the port, each with the reason `why`.
Faults cells_with_lines(const std::string& port, const std::vector<std::size_t>& wrong,
                        const std::string& why) {
  Faults faults;
  const auto lines = notebook::lines_of(port);
  for (const auto number : wrong) {
    std::size_t position = 0;
    for (std::size_t i = 0; i < std::min(number, lines.size()); ++i)
      position += lines[i].starts_with("  nb.cell(") ? 1 : 0;
    if (position > 0) faults.emplace(position, why);
  }
  return faults;
}

/// Takes the C++ of cells back, then translates and writes the port again. Returns false if none of
/// the cells had C++.
bool take_back(ImportedPort& port, const Faults& faults, std::vector<std::string>& said) {
  bool any = false;
  for (const auto& [position, why] : faults) {
    auto& cell = port.draft.cells.at(position - 1);
    if (cell.cpp.empty() || cell.keeps_nothing) continue;
    any = true;
    cell.keeps_nothing = !cell.why.empty();
    cell.taken_back = why;
    if (!cell.raises) cell.raised_line = 0;
    said.push_back(fmt::format("@{} In [{}] is taken back: {}", position, cell.label, why));
  }
  if (!any) return false;
  const auto translated = translate_draft(port.draft, port.python, port.run.get());
  port.left = translated.left;
  const auto beside = [&](const char* extension) {
    return std::filesystem::path(port.file).replace_extension(extension).string();
  };
  write_file(port.file, importing::port_text(port.draft));
  auto exceptions = importing::exceptions_text(port.draft);
  const bool none = exceptions.empty();
  if (none) exceptions = fmt::format("exceptions of {}\n", port.draft.golden.slug);
  if (!none || std::filesystem::exists(beside(".exceptions"))) write_file(beside(".exceptions"), exceptions);
  if (!translated.carried.empty()) write_file(beside(".carried"), translated.carried);
  return true;
}

/// Returns the faults of the cells because of which the port cannot be built or checked.
Faults faults_of(const ImportedPort& port, const BuiltPort& built, const CheckedPort& checked) {
  if (built.refused) {
    const auto why = fmt::format("its C++ does not compile, which is a bug of torchbook: {}", built.why_not);
    return cells_with_lines(importing::port_text(port.draft), built.lines, why);
  }
  Faults faults;
  if (checked.endless != 0) faults.emplace(checked.endless, checked.why_not);
  for (const auto& [position, what] : checked.thrown) {
    const bool must_throw = port.draft.cells.at(position - 1).raises;
    faults.emplace(
        position,
        must_throw
            ? what
            : fmt::format("its C++ throws: {}; if its Python does not raise here, that is a bug of torchbook",
                          what));
  }
  return faults;
}

Imported judged(const ImportedPort& port, const BuiltPort& built, CheckedPort checked) {
  const auto& slug = port.draft.golden.slug;
  Imported result{.report = port.left};
  if (built.refused) {
    result.code = exit_different;
    // It is no bug of torchbook if the compiler ran out of memory or disk space, or if a person may
    // have changed the C++.
    const bool ours = port.is_new && !built.lines.empty();
    result.said.push_back(fmt::format("{} does not compile{}: {}", slug,
                                      ours ? ", which is a bug of torchbook" : "", built.why_not));
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

}  // namespace

Imported judge_port(ImportedPort port, int seconds) {
  std::vector<std::string> said;
  while (true) {
    const auto built = build_port(port.project, port.draft.golden.slug);
    CheckedPort checked;
    if (!built.program.empty())
      checked = check_port(built.program, port.draft.golden, seconds, port.left.empty());
    const auto faults = port.is_new ? faults_of(port, built, checked) : Faults();
    if (!faults.empty() && take_back(port, faults, said)) continue;
    auto result = judged(port, built, std::move(checked));
    result.said.insert(result.said.begin(), said.begin(), said.end());
    return result;
  }
}

}  // namespace torchbook::cli
