// Builds the proving program in the project that the port will belong to, and takes back cells that differ.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/command/import_files.h>
#include <tools/import/command/linked_folder.h>
#include <tools/import/command/port_build.h>
#include <tools/import/command/port_check.h>
#include <tools/import/command/prove.h>
#include <tools/import/command/wrong_cells.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/golden/excused.h>
#include <torchbook/golden/golden.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/temporary_file.h>
#include <torchbook/report/quoted.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace torchbook::cli {
namespace {

constexpr const char* target = "torchbook_proof";  // as in torchbookNotebooks.cmake

/// Returns the cells that contain these lines of the program, each with the reason `why`.
Faults cells_with_lines(const std::string& program, const std::vector<std::size_t>& wrong,
                        const std::string& why) {
  Faults faults;
  const auto lines = notebook::lines_of(program);
  for (const auto number : wrong) {
    std::size_t position = 0;
    for (std::size_t i = 0; i < std::min(number, lines.size()); ++i)
      position += lines[i].starts_with("  nb.cell(") ? 1 : 0;
    if (position > 0) faults.emplace(position, why);
  }
  return faults;
}

/// Returns the compiler's error in a message of build_port().
std::string error_in(const std::string& message) {
  constexpr std::string_view head = ": error: ";
  const auto from = message.find(head);
  if (from == message.npos) return message;
  const auto error = message.substr(from + head.size());
  return error.substr(0, error.rfind(" (the log is "));
}

/// One notebook that is being proved.
class Proof {
 public:
  Proof(importing::Draft& draft, const NotebookRun& run, const ImportOptions& options, Project project)
      : draft_(draft),
        run_(run),
        options_(options),
        project_(std::move(project)),
        recorded_(run.carried->cells()) {}

  Proved proved(const std::function<void(const Translated&)>& early) {
    const auto folder = fmt::format("{}/proof", project_.build);
    make_folder(folder);
    const FolderLock lock(folder);
    translate();
    early(proved_.translated);
    while (proved_.why_not.empty()) {
      const auto faults = faults_of(folder);
      if (faults.empty() || !take_back(faults)) break;
    }
    if (proved_.why_not.empty()) draft_.proved = run_.torch;
    return std::move(proved_);
  }

 private:
  void translate() {
    proved_.translated = translate_draft(draft_, options_.python.python(), run_.carried.get());
  }

  /// Writes the parts of the proving program. Returns its C++.
  std::string write_program(const std::string& folder) const {
    auto proving = draft_;
    proving.golden.slug = target;
    const auto write = [&](const char* extension, const std::string& text) {
      const auto file = fmt::format("{}/{}{}", folder, target, extension);
      if (!text.empty()) return write_file(file, text);
      std::error_code absent;
      std::filesystem::remove(file, absent);
    };
    write(".golden", golden::golden_text(proving.golden));
    write(".py", importing::twin_text(proving));
    write(".exceptions", importing::exceptions_text(proving));
    write(".carried", proved_.translated.carried);
    auto text = importing::proving_text(proving);
    write(".cpp", text);
    return text;
  }

  /// Builds the program. The first time, also builds the target beside it; if one of both fails, only the
  /// program's errors count.
  BuiltPort built_program(const std::string& again) const {
    const auto none = [] {};
    const bool alone = builds_ > 1 || options_.beside.empty();
    auto built = build_port(project_, target, none, again, alone ? "" : options_.beside);
    const bool known = alone || !built.refused || !built.lines.empty();
    return known ? built : build_port(project_, target, none, again);
  }

  /// Builds and runs the program. Returns the cells that are to be taken back.
  Faults faults_of(const std::string& folder) {
    const auto text = write_program(folder);
    const auto again = ++builds_ > 1 ? fmt::format(", build {} of the proof", builds_) : "";
    const auto built = built_program(again);
    if (built.refused) {
      auto faults = cells_with_lines(text, built.lines,
                                     fmt::format("its C++ does not compile: {}", error_in(built.why_not)));
      if (faults.empty()) proved_.why_not = built.why_not;  // as if the compiler ran out of memory
      return faults;
    }
    proved_.why_not = built.why_not;
    if (built.why_not.find(fmt::format("torchbook_add_notebook({})", target)) != std::string::npos)
      proved_.why_not =
          fmt::format("{}/CMakeLists.txt has no find_package(torchbook CONFIG REQUIRED COMPONENTS notebook)",
                      project_.source);
    if (built.program.empty()) return {};
    auto faults = faults_of_run(folder, built.program);
    if (faults.empty() || !all_ended_ || std::exchange(ran_twice_, true)) return faults;
    compare_runs();
    return faults_of_run(folder, built.program);
  }

  /// Runs the program, with the exceptions that are known by now. Returns the cells that are to be taken
  /// back.
  Faults faults_of_run(const std::string& folder, const std::string& program) {
    const notebook::TemporaryFile proof_log;
    const auto exceptions = std::filesystem::absolute(folder + "/run.exceptions").string();
    auto proving = draft_;
    proving.golden.slug = target;
    write_file(exceptions, importing::exceptions_text(proving));
    const LinkedFolder linked(draft_.folder);
    const auto checked = check_port(program, draft_.golden, options_.python.timeout,
                                    {.tells_reasons = false,
                                     .folder = linked.path(),
                                     .proof = proof_log.path(),
                                     .exceptions = exceptions});
    auto faults = stopped(checked);
    if (faults.empty() && !checked.why_not.empty()) {
      faults = ended(last_cell_in(proof_log.bytes()), checked.why_not);
      if (faults.empty()) proved_.why_not = checked.why_not;
      return faults;
    }
    all_ended_ = faults.empty();
    return all_ended_ ? wrong(proof_log.bytes(), checked.different) : faults;
  }

  /// Returns the cells that did not reach their ends.
  Faults stopped(const CheckedPort& checked) const {
    Faults faults;
    if (checked.endless != 0) faults.emplace(checked.endless, checked.why_not);
    for (const auto& [position, what] : checked.thrown) {
      const bool must_throw = draft_.cells.at(position - 1).raises;
      faults.emplace(position, must_throw ? what : fmt::format("its C++ throws: {}", what));
    }
    return faults;
  }

  /// Returns the cell that ended the program: the first one with C++ after the last cell that ended.
  Faults ended(std::size_t last, const std::string& why) const {
    if (last == 0) return {};  // it may not have begun
    const auto without = without_cpp();
    while (++last <= draft_.cells.size()) {
      const bool runs = !draft_.cells[last - 1].cpp.empty() && !without.contains(last);
      if (runs) return {{last, fmt::format("its C++ ends the program: {}", why)}};
    }
    return {};
  }

  /// Returns how many cells come before the first one that raised, or ended, in only one of two runs.
  std::size_t cells_in_common(const golden::Golden& again) {
    for (std::size_t i = 0; i < draft_.cells.size(); ++i) {
      const auto &one = run_.golden.cells.at(i), &two = again.cells.at(i);
      if (one.ran == two.ran && one.error.has_value() == two.error.has_value()) continue;
      const auto how = fmt::format("{} in @{}{}",
                                   two.error ? "failed"
                                   : two.ran ? "did not fail"
                                             : "ended",
                                   i + 1, two.error ? " (" + report::shortened(*two.error) + ")" : "");
      proved_.remark = fmt::format("the second run of Python {}; from there on, nothing is excused", how);
      draft_.cells[i].varies = proved_.remark;
      return i;
    }
    return draft_.cells.size();
  }

  /// Runs Python once more, and excuses what its two runs do not have in common.
  void compare_runs() try {
    const auto again = run_again(draft_, options_.python);
    const auto common = cells_in_common(again.golden);
    auto others = again.carried->cells();
    others.resize(std::min(others.size(), common));
    const auto names = remove_what_varies(recorded_, others);
    const auto times = cells_with_times(draft_);
    for (std::size_t i = 0; i < common; ++i) {
      const auto &one = run_.golden.cells.at(i), &two = again.golden.cells.at(i);
      auto& cell = draft_.cells[i];
      std::vector<std::string> parts;
      if (const auto found = names.find(i + 1); found != names.end())
        parts.assign(found->second.begin(), found->second.end());
      if ((one.out != two.out || one.result != two.result) && cell.exception.empty()) {
        if (const auto words = golden::words_that_differ(one, two)) {
          cell.exception = fmt::format("varies {}: {}", *words, differing_runs);
          const auto count = std::ranges::count(*words, ' ');
          parts.push_back(count > 20 ? fmt::format("{} words of its output", count)
                                     : *words + " of its output");
        } else {
          unaligned_.insert(i + 1);
        }
      }
      if (parts.empty()) continue;
      const bool is_address = (one.out + one.result.value_or("")).find(" at 0x") != std::string::npos;
      const auto* const what = times.contains(i) ? "a time" : is_address ? "an address" : "varying";
      cell.varies = fmt::format("{} ({})", what, fmt::join(parts, ", "));
    }
  } catch (const UsageError& error) {  // it ran in time once, and then not
    proved_.remark = fmt::format("nothing that varies is excused: {}", error.what());
  }

  /// Returns the cells that ended with other outputs or values than Python's.
  Faults wrong(std::string_view proof_log, const Faults& different) {
    for (std::size_t i = 0; i < recorded_.size(); ++i)
      recorded_[i].is_ported = draft_.cells.at(i).why.empty();
    auto faults = wrong_cells(recorded_, proof_log, different, without_cpp());
    for (auto& [position, what] : faults) {
      const auto shown = different.find(position);
      const bool is_layout = importing::lacks_layout(run_.golden.cells.at(position - 1)) &&
                             shown != different.end() && shown->second == what;
      what =
          unaligned_.contains(position)
              ? fmt::format(
                    "two runs of its Python differ in more than the numbers of words; if that is right, add "
                    "\"@{} varies /PATTERN/: WHY\" to the exceptions",
                    position)
          : is_layout ? "IPython lays out what it displays in Jupyter, and this Python does not have it; "
                        "install IPython (Debian: python3-ipython)"
                      : fmt::format("its C++ is wrong: {}", what);
    }
    return faults;
  }

  /// Whether a cell has no C++ that could be taken back. One that is ported may have none and be wrong: `y *
  /// 2;`.
  static bool has_nothing(const importing::DraftCell& cell) {
    return (cell.cpp.empty() && !cell.why.empty()) || cell.keeps_nothing;
  }

  std::set<std::size_t> without_cpp() const {
    std::set<std::size_t> positions;
    for (std::size_t i = 0; i < draft_.cells.size(); ++i) {
      if (has_nothing(draft_.cells[i])) positions.insert(i + 1);
    }
    return positions;
  }

  /// Takes the C++ of cells back, and translates the notebook again. Returns false if none of the cells had
  /// C++.
  bool take_back(const Faults& faults) {
    bool any = false;
    for (const auto& [position, why] : faults) {
      auto& cell = draft_.cells.at(position - 1);
      if (has_nothing(cell)) continue;
      any = true;
      cell.keeps_nothing = !cell.why.empty();
      if (cell.keeps_nothing) continue;  // its kept statements no longer reproduce Python's values
      const bool differs = why.starts_with("its C++ is wrong") || why.starts_with("its C++ throws");
      const bool is_limit = differs && !cell.limits.empty();
      cell.taken_back = is_limit ? fmt::format("{}; {}", why, fmt::join(cell.limits, "; ")) : why;
      if (!cell.raises) cell.raised_line = 0;
      if (why.starts_with("its C++") && !is_limit) proved_.taken_back.insert(position);
    }
    if (any) translate();
    return any;
  }

  importing::Draft& draft_;
  const NotebookRun& run_;
  const ImportOptions& options_;
  Project project_;
  RecordedCells recorded_;
  std::set<std::size_t> unaligned_{};  // cells whose outputs differ between two runs in more than words
  int builds_ = 0;
  bool ran_twice_ = false;
  bool all_ended_ = false;  // in the last run of the program
  Proved proved_{};
};

}  // namespace

Proved prove(importing::Draft& draft, const NotebookRun& run, const ImportOptions& options,
             const std::function<void(const Translated&)>& early) try {
  const auto project = project_of(options.into);
  return Proof(draft, run, options, project ? *project : own_project()).proved(early);
} catch (const UsageError& error) {  // a folder cannot be written, or Python cannot parse the cells
  return {.why_not = error.what()};
}

}  // namespace torchbook::cli
