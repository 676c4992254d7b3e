// Builds an imported port and runs its check.
#include <fmt/format.h>
#include <tools/import/command/import.h>
#include <tools/import/command/port_check.h>
#include <tools/import/command/proof.h>
#include <tools/import/command/translation.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/temporary_file.h>
#include <torchbook/report/quoted.h>

#include <filesystem>
#include <map>
#include <utility>

namespace torchbook::cli {
namespace {

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

/// Takes the C++ of cells back, and translates the notebook again. Returns false if none of the cells had C++.
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
  auto exceptions = importing::exceptions_text(port.draft);
  const bool none = exceptions.empty();
  if (none) exceptions = fmt::format("exceptions of {}\n", port.draft.golden.slug);
  if (!none || std::filesystem::exists(beside(".exceptions"))) write_file(beside(".exceptions"), exceptions);
  if (!translated.carried.empty()) write_file(beside(".carried"), translated.carried);
  return true;
}

/// Returns the faults of the cells because of which the port cannot be built or checked. `text` is what was built.
Faults faults_of(const ImportedPort& port, const std::string& text, const BuiltPort& built,
                 const CheckedPort& checked) {
  if (built.refused) {
    const auto why = fmt::format("its C++ does not compile, which is a bug of torchbook: {}", built.why_not);
    return cells_with_lines(text, built.lines, why);
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

/// Returns the wrong cells, each with the request to report it.
Faults wrong_in(const ImportedPort& port, const RecordedCells& run, std::string_view told,
                const CheckedPort& checked) {
  auto faults = wrong_cells(run, told, checked.different);
  for (auto& [position, what] : faults) {
    const auto& cell = port.draft.cells.at(position - 1);
    what = fmt::format("its C++ is wrong, which is a bug of torchbook: {}", what);
    if (!cell.why.empty()) what = fmt::format("what it carries is wrong, which is a bug of torchbook: {}", what);
  }
  return faults;
}

/// Builds and runs the program that proves the port, and takes cells back until nothing in it differs from Python's run.
/// Returns why nothing is proved; empty if all that is left is.
std::string prove(ImportedPort& port, int seconds, std::vector<std::string>& said) {
  const auto target = port.draft.golden.slug + ".proof";
  auto run = port.run->cells();
  bool ran_twice = false;
  while (true) {
    const auto text = importing::proving_text(port.draft);
    const auto folder = fmt::format("{}/proof", port.project.build);
    make_folder(folder);
    write_file(fmt::format("{}/{}.cpp", folder, target), text);
    const auto built = build_port(port.project, target);
    if (built.program.empty() && !built.refused) return built.why_not;
    const notebook::TemporaryFile proof;
    CheckedPort checked;
    if (!built.program.empty())
      checked = check_port(built.program, port.draft.golden, seconds, false, proof.path());
    auto faults = faults_of(port, text, built, checked);
    if (faults.empty()) faults = wrong_in(port, run, proof.bytes(), checked);
    if (faults.empty()) return {};
    if (!std::exchange(ran_twice, true) && !built.refused) {
      remove_what_varies(run, port.run_again());
      continue;
    }
    if (!take_back(port, faults, said)) return {};
  }
}

}  // namespace

Imported judge_port(ImportedPort port, int seconds) {
  std::vector<std::string> said;
  if (port.is_new) {
    const auto why_not = prove(port, seconds, said);
    if (!why_not.empty()) {
      said.push_back(fmt::format("nothing is proved, so the port has no C++ yet: {}", why_not));
      return {.report = port.left, .code = exit_different, .said = std::move(said)};
    }
    write_file(port.file, importing::port_text(port.draft));
  }
  const auto built = build_port(port.project, port.draft.golden.slug);
  CheckedPort checked;
  if (!built.program.empty())
    checked = check_port(built.program, port.draft.golden, seconds, port.left.empty());
  auto result = judged(port, built, std::move(checked));
  result.said.insert(result.said.begin(), said.begin(), said.end());
  return result;
}

}  // namespace torchbook::cli
