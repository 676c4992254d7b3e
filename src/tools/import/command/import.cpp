// `torchbook import`: reads a notebook, makes all files in memory, and then writes them.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/cmake_line.h>
#include <tools/import/command/import.h>
#include <tools/import/command/import_files.h>
#include <tools/import/command/import_run.h>
#include <tools/import/command/prove.h>
#include <tools/import/command/translation.h>
#include <tools/import/command/unseeded_draws.h>
#include <tools/import/draft.h>
#include <tools/import/old_notebook.h>
#include <tools/import/restored_seed.h>
#include <tools/import/slug.h>
#include <tools/import/text.h>
#include <tools/import/update.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/program.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/golden/golden.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/notebook/parse_integer.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/words.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

namespace torchbook::cli {
namespace {

namespace fs = std::filesystem;
using importing::Draft;

/// Returns `2 cells, 1 with output`.
std::string counts(const golden::Golden& golden) {
  return fmt::format("{}, {} with output", report::counted(golden.cells.size(), "cell"),
                     golden::output_count(golden));
}

/// Lists the parts of the notebook that were left out or changed, below a heading; empty if there are none.
std::string remarks_text(const importing::Draft& draft) {
  constexpr std::size_t most_of_text = 3;  // course notebooks may have a picture between any two cells
  const auto is_of_text = [](const importing::Remark& remark) { return remark.label.empty(); };
  const auto& remarks = draft.remarks;
  const auto of_text = static_cast<std::size_t>(std::count_if(remarks.begin(), remarks.end(), is_of_text));
  std::string text;
  for (const auto& remark : remarks) {
    if (is_of_text(remark) && of_text > most_of_text) continue;
    const auto place = is_of_text(remark) ? fmt::format("after @{}", remark.position)
                                          : fmt::format("@{} In [{}]", remark.position, remark.label);
    text += fmt::format("  {}: {}\n", place, report::pictured(remark.what, report::Breaks::pictured));
  }
  if (of_text > most_of_text)
    text += fmt::format("  between the cells: {} pictures and blocks of code in the text\n", of_text);
  return text.empty() ? text : "left out, or changed:\n" + text;
}

/// Returns the message that there are no outputs to compare a port with. `ran` says whether the
/// notebook was run.
std::string no_outputs(const importing::Draft& draft, bool ran) {
  return fmt::format("{} {}", draft.document, ran ? "has no output" : "stores no outputs");
}

/// Describes the changes of an update, cell by cell.
std::string changes_text(const importing::Updated& updated) {
  auto text = fmt::format("{} kept, {} new, {} removed\n", report::counted(updated.kept, "cell"),
                          updated.added, updated.removed);
  for (const auto& change : updated.changes) text += fmt::format("  {}\n", change);
  return text;
}

NewFile file_in(const ImportOptions& options, const std::string& slug, const char* extension) {
  NewFile file{.path = (fs::path(options.into) / (slug + extension)).lexically_normal().string()};
  if (exists(file.path)) file.before = read_file(file.path);
  return file;
}

NotebookFiles files_of(const ImportOptions& options, const std::string& slug) {
  return {.golden = file_in(options, slug, ".golden"),
          .twin = file_in(options, slug, ".py"),
          .port = file_in(options, slug, ".cpp"),
          .exceptions = file_in(options, slug, ".exceptions"),
          .carried = file_in(options, slug, ".carried")};
}

std::string slug_of(const ImportOptions& options) {
  const auto& named = options.slug;
  if (named.empty()) return importing::slug_of(options.notebook);
  if (const auto why = importing::why_no_slug(named); !why.empty()) {
    throw UsageError(fmt::format("--slug: {} {}", named, why));
  }
  return named;
}

/// Restores the state of the generator above a cell, as `CELL=SEED,DRAWS` says. Throws UsageError, or
/// ImportError if there is no such cell.
void restore_seed(Draft& draft, std::string_view text) {
  const auto equals = std::min(text.find('='), text.size()),
             comma = std::min(text.find(',', equals), text.size());
  const auto number = [&](std::size_t from, std::size_t to) {
    return notebook::parse_integer<std::uint32_t>(text.substr(std::min(from, to), to - std::min(from, to)));
  };
  const auto seed = number(equals + 1, comma), draws = number(comma + 1, text.size());
  if (!seed || !draws || *draws > importing::most_draws) {
    throw UsageError(fmt::format("--restore: {} is not CELL=SEED,DRAWS, such as 3=1431708788,64", text));
  }
  const auto cell = importing::cell_index(draft, text.substr(0, equals));
  auto& restored = draft.cells[cell].restored.emplace(importing::restored_seed(*seed, *draws));
  const auto above = draft.cells.begin() + static_cast<std::ptrdiff_t>(cell);
  const bool knows_torch = std::any_of(draft.cells.begin(), above, [](const importing::DraftCell& each) {
    return each.twin.text.find("import torch") != std::string::npos;
  });
  if (!knows_torch) restored.python.insert(restored.python.begin(), "import torch");
}

Draft read_draft(const ImportOptions& options, const std::string& slug) {
  const auto& path = options.notebook;
  const auto text = read_file(path);
  return notebook::in_file<UsageError>(path, [&] {
    auto draft = importing::read_notebook(text, slug, fs::path(path).filename().string());
    draft.folder = fs::path(path).parent_path().string();
    if (!options.restore.empty()) restore_seed(draft, options.restore);
    return draft;
  });
}

/// Compares the golden file with the notebook's outputs, and reports the first line that differs.
Imported check(const Draft& draft, const NewFile& golden) {
  const auto text = golden::golden_text(draft.golden);
  const auto is = fmt::format("{} is what {} holds", golden.path, draft.document);
  if (text == *golden.before) return {.report = fmt::format("{}: {}\n", is, counts(draft.golden))};
  const auto expected = notebook::lines_of(text), actual = notebook::lines_of(*golden.before);
  std::size_t line = 0;
  while (line < std::min(expected.size(), actual.size()) && expected[line] == actual[line]) ++line;
  const auto quoted = [line](const std::vector<std::string_view>& lines) {
    return line < lines.size() ? report::shortened(lines[line]) : "(nothing more)";
  };
  return {.report = fmt::format("{}:{}: differs from what {} holds\n  golden    {}\n  notebook  {}\n",
                                golden.path, line + 1, draft.document, quoted(actual), quoted(expected)),
          .code = exit_different};
}

void refuse_existing(NotebookFiles& files) {
  const bool has_both = files.port.before && files.twin.before;
  for (const auto* file : files.all()) {
    if (!file->before) continue;
    throw UsageError(fmt::format("{} exists; {}", file->path,
                                 has_both ? "--update keeps the ported cells and writes the rest anew"
                                          : "move it away, or give this notebook another name by --slug"));
  }
}

/// Whether the outputs of a golden are from a run. `document` is its source.
bool is_of_run(std::string_view document) {
  return document.find(" ran it") != document.npos && document.ends_with(')');
}

/// Reads a golden file. One that does not exist, or cannot be parsed and so is replaced, is empty.
golden::Golden old_golden(const NewFile& golden) {
  try {
    if (golden.before) return golden::parse_golden(*golden.before);
  } catch (const golden::GoldenError&) {
  }
  return {};
}

/// Refuses to replace the golden of another notebook, before the notebook runs. Without a run, also refuses
/// to replace outputs from a run by stored ones, or a golden with outputs by one without.
void refuse_other_golden(const Draft& draft, const NewFile& golden, bool runs) {
  const auto old = old_golden(golden);
  const auto& from = old.document;
  if (!runs && golden::output_count(old) > 0 && golden::output_count(draft.golden) == 0) {
    throw UsageError(fmt::format("{} has outputs, and {} stores none; without --frame, PyTorch computes them",
                                 golden.path, draft.document));
  }
  if (!runs && is_of_run(from))
    throw UsageError(
        fmt::format("{} has outputs of PyTorch; import without --frame replaces them", golden.path));
  const bool same = from.empty() || from == draft.document || from.starts_with(draft.document + " (PyTorch ");
  if (same) return;
  throw UsageError(
      fmt::format("{} is from {}, not from {}; choose another name by --slug, or, if the file has only been "
                  "renamed, change the golden's first line",
                  golden.path, from, draft.document));
}

/// Refuses to replace a golden with outputs by a run without, or by stored outputs because the first cell did
/// not end in time.
void refuse_poorer_run(const Draft& draft, const NewFile& golden) {
  const auto old = old_golden(golden);
  if (golden::output_count(old) > 0 && golden::output_count(draft.golden) == 0)
    throw UsageError(fmt::format("{} has outputs, and {} has no output; move that file away to import it",
                                 golden.path, draft.document));
  if (is_of_run(old.document) && !is_of_run(draft.golden.document))
    throw UsageError(fmt::format(
        "{} has outputs of PyTorch, and now the first cell did not end in time; --timeout sets another limit",
        golden.path));
}

/// Returns the notebook's files as they are. `exceptions` must outlive that.
importing::OldFiles old_files(const NotebookFiles& files) {
  return {.port = *files.port.before,
          .twin = *files.twin.before,
          .exceptions = files.exceptions.before ? std::string_view(*files.exceptions.before) : "",
          .port_name = files.port.path,
          .twin_name = files.twin.path};
}

/// Whether an update has files to keep. Otherwise it is a first import.
bool has_old(const NotebookFiles& files) { return files.port.before || files.twin.before; }

/// Takes over what the owner says that varies in cells whose Python has not changed, so that the proof
/// excuses it. Returns these cells.
std::vector<importing::DraftCell*> take_exceptions(Draft& draft, const NotebookFiles& files) {
  std::vector<importing::DraftCell*> taken;
  if (!has_old(files)) return taken;
  const auto old = importing::read_old(old_files(files), draft.golden.slug);
  for (std::size_t i = 0; i < std::min(draft.cells.size(), old.units.size()); ++i) {
    auto& cell = draft.cells[i];
    const auto& unit = old.units[i];
    if (!cell.exception.empty() || unit.exceptions.size() != 1 || unit.twin != cell.twin.text) continue;
    const auto& line = unit.exceptions[0].second;
    if (!line.starts_with(" varies") || line.ends_with(differing_runs)) continue;
    cell.exception = line.substr(1);
    taken.push_back(&cell);
  }
  return taken;
}

/// Throws UsageError if port or twin of an import that is to be updated is missing or broken.
void require_old(const NotebookFiles& files, const std::string& slug) {
  if (!files.port.before || !files.twin.before) {
    throw UsageError(fmt::format("{} is missing; --update needs port and twin as they were built",
                                 files.port.before ? files.twin.path : files.port.path));
  }
  try {
    importing::read_old(old_files(files), slug);
  } catch (const std::runtime_error& error) {
    throw UsageError(error.what());
  }
}

/// Adds the notebook to the project, or says how to do that.
NewFile cmake_file(const ImportOptions& options, const std::string& slug, std::vector<std::string>& said) {
  NewFile file{.path = (fs::path(options.into) / "CMakeLists.txt").lexically_normal().string()};
  const auto line = importing::cmake_line(slug);
  if (options.own) return file;
  if (!exists(file.path)) {
    said.push_back(
        fmt::format("there is no {}, so the port is not built; torchbook new makes a project, where the line "
                    "{} builds it",
                    file.path, line));
    return file;
  }
  file.before = file.text = read_file(file.path);
  if (importing::has_program(file.text, slug)) {
    throw UsageError(fmt::format("{} names its program {}; choose another name by --slug", file.path, slug));
  }
  if (importing::has_notebook(file.text, slug)) return file;
  if (auto text = importing::with_notebook(file.text, slug)) {
    file.text = std::move(*text);
    said.push_back(fmt::format("added {} to {}", line, file.path));
  } else {
    said.push_back(
        fmt::format("{} has no line torchbook_add_program(…); add {} where the notebook is to be built",
                    file.path, line));
  }
  return file;
}

/// Checks all preconditions before the notebook runs. Throws UsageError.
void refuse_before_run(const Draft& draft, const ImportOptions& options, NotebookFiles& files) {
  const auto& slug = draft.golden.slug;
  require_writable(options.record);
  if (options.check) {
    if (!files.golden.before)
      throw UsageError(fmt::format("{} is missing; import without --check writes it", files.golden.path));
    return;
  }
  if (!options.update) refuse_existing(files);
  refuse_other_golden(draft, files.golden, !options.frame);
  if (has_old(files)) require_old(files, slug);
  std::vector<std::string> unsaid;
  cmake_file(options, slug, unsaid);  // it throws if the name is taken
  require_writable_folder(options.into);
  for (const auto* file : files.all()) {
    if (file->before) require_writable(file->path);
  }
}

/// Merges the draft into the existing files and keeps hand-written parts. Returns what happened to
/// each cell.
importing::Updated update_files(const Draft& draft, NotebookFiles& files) {
  const auto old = old_files(files);
  auto updated = importing::update(draft, old);
  using importing::with_line_ends_of;
  files.port.text = with_line_ends_of(*files.port.before, updated.port);
  files.twin.text = with_line_ends_of(*files.twin.before, updated.twin);
  files.exceptions.text = with_line_ends_of(old.exceptions, updated.exceptions);
  const bool carries = importing::contains(updated.port, "nb.carried");
  if (files.carried.text.empty() && carries) files.carried.text = files.carried.before.value_or("");
  return updated;
}

/// Returns the port to build and check, if the project builds it and its golden has outputs. Adds
/// to `said` what is missing.
std::optional<ImportedPort> port_to_judge(const ImportOptions& options, const Draft& draft,
                                          const std::string& cmake, std::vector<std::string>& said) {
  const bool judges = !options.frame && !options.unproved && golden::output_count(draft.golden) > 0;
  if (!judges || !importing::has_notebook(cmake, draft.golden.slug)) return std::nullopt;
  auto project = project_of(options.into);
  if (!project) {
    said.push_back(fmt::format("no CMakeLists.txt at or above {} calls project(…), so the port is not built",
                               options.into));
    return std::nullopt;
  }
  return ImportedPort{.project = std::move(*project), .golden = draft.golden};
}

/// Makes the texts of files without anything that a person wrote.
void make_new_files(const Draft& draft, const Translated& translated, NotebookFiles& files) {
  files.golden.text = golden::golden_text(draft.golden);
  files.carried.text = translated.carried;
  files.port.text = importing::port_text(draft);
  files.twin.text = importing::marked_twin(draft);
  files.exceptions.text = importing::exceptions_text(draft);
}

/// Writes the port as it will be if no cell is taken back, so that it compiles beside the proof.
void write_unproved(Draft draft, const Translated& translated, const ImportOptions& options,
                    const NotebookRun& run) {
  draft.proved = run.torch;
  auto files = files_of(options, draft.golden.slug);
  make_new_files(draft, translated, files);
  std::vector<NewFile> all;
  for (auto* file : files.all()) all.push_back(std::move(*file));
  write_files_or_none(all);
}

/// Makes the texts of the files. Adds the fate of each cell to the report. Returns why some cells
/// are not translated.
std::string make_files(Draft& draft, const Translated& translated, NotebookFiles& files,
                       const ImportOptions& options, std::string& report) {
  if (has_old(files) && !options.own) {
    files.golden.text = golden::golden_text(draft.golden);
    files.carried.text = translated.carried;
    const auto updated = update_files(draft, files);
    report += changes_text(updated);
    if (updated.loses_code) files.lost = original_file(files.port);
    return left_text(translated, updated.written);
  }
  report += translated.counts;
  make_new_files(draft, translated, files);
  return left_text(translated);
}

/// Runs the notebook, unless `--frame` or a golden of stored outputs forbids it. If there is no PyTorch, adds
/// to `said` how to install it.
NotebookRun run_if_asked(Draft& draft, const ImportOptions& options, const NewFile& golden,
                         std::vector<std::string>& said) {
  const std::string_view before = golden.before ? std::string_view(*golden.before) : std::string_view();
  const bool of_stored = options.check && !is_of_run(before.substr(0, before.find('\n')));
  if (options.frame || of_stored) return {};
  fmt::print(stderr, "torchbook: runs {} with {}\n", draft.document, options.python.python());
  try {
    return run_notebook(draft, options.python);
  } catch (const UsageError& error) {
    if (options.check || options.update) throw;
    said.push_back(error.what());
    return {};
  }
}

/// Translates the draft and proves the C++, unless `--frame` says that nothing is translated, or it was not
/// run. Returns nullopt if nothing can be proved.
std::optional<Translated> translated_if_asked(Draft& draft, const ImportOptions& options,
                                              const NotebookRun& run, std::vector<std::string>& said) {
  if (options.frame) {
    importing::make_frame(draft);
    return Translated();
  }
  if (options.unproved) return translate_draft(draft, options.python.python(), run.carried.get());
  Proved proved{.why_not = "PyTorch did not run it"};
  const auto early = [&](const Translated& translated) {
    if (!options.beside.empty()) write_unproved(draft, translated, options, run);
  };
  if (run.carried != nullptr) proved = prove(draft, run, options, early);
  if (const auto& cells = proved.taken_back; !cells.empty()) {
    said.push_back(
        fmt::format("the C++ of @{} was wrong and is taken back; please report this bug of torchbook, with "
                    "{} Python and the reason above",
                    fmt::join(cells, ", @"), cells.size() == 1 ? "its" : "their"));
  }
  if (!proved.remark.empty()) said.push_back(std::move(proved.remark));
  if (proved.why_not.empty()) return std::move(proved.translated);
  if (options.update) throw UsageError(fmt::format("nothing can be proved: {}", proved.why_not));
  said.push_back(
      fmt::format("{} has no C++ yet, because nothing can be proved: {}", draft.golden.slug, proved.why_not));
  importing::make_frame(draft);
  return std::nullopt;
}

/// Adds what a user may want to do about a notebook without outputs, or without the seed of its run.
void add_hints(const Draft& draft, const NotebookRun& run, const std::string& hint,
               std::vector<std::string>& said) {
  if (golden::output_count(draft.golden) == 0) said.push_back(no_outputs(draft, run.carried != nullptr));
  if (!hint.empty()) said.push_back(hint);
}

}  // namespace

Imported import_notebook(const ImportOptions& options) {
  if (options.notebook == "-") {
    throw UsageError("NOTEBOOK is -; name a file, because files are named after it");
  }
  const auto slug = slug_of(options);
  Draft draft = read_draft(options, slug);
  const auto hint = seed_hint(draft, options.notebook);
  auto files = files_of(options, slug);
  refuse_before_run(draft, options, files);
  std::vector<std::string> said;
  const auto run = run_if_asked(draft, options, files.golden, said);
  if (!options.record.empty() && run.carried != nullptr)
    write_file(options.record, run.carried->record(draft.document, run.golden, run.torch));
  if (options.check) return check(draft, files.golden);
  if (run.carried != nullptr) refuse_poorer_run(draft, files.golden);
  const auto taken = take_exceptions(draft, files);
  auto translated = translated_if_asked(draft, options, run, said);
  for (auto* const cell : taken) cell->exception.clear();  // the update keeps the owner's line
  const FolderLock lock(options.into);  // another import may add to the same CMakeLists.txt
  files = files_of(options, slug);      // they may have changed during the proof
  if (!options.update) refuse_existing(files);
  Imported result{.report = fmt::format("{}: {}, {}, from {}\n", slug, counts(draft.golden),
                                        report::counted(draft.notes, "note"), draft.golden.document),
                  .code = translated ? exit_equal : exit_usage,
                  .said = std::move(said)};
  add_hints(draft, run, hint, result.said);
  const auto left = make_files(draft, translated.value_or(Translated()), files, options, result.report);
  std::vector<NewFile> all;
  if (files.lost) all.push_back(std::move(*files.lost));
  for (auto* file : files.all()) all.push_back(std::move(*file));
  all.push_back(cmake_file(options, slug, result.said));
  if (translated) result.port = port_to_judge(options, draft, all.back().text, result.said);
  result.report += left;
  make_folder(options.into);
  const auto written = write_files_or_none(all);
  result.report += run.stored + remarks_text(draft);
  if (options.own) return result;
  result.report +=
      written.empty() ? "nothing has changed\n" : fmt::format("wrote {}\n", fmt::join(written, ", "));
  return result;
}

namespace {

void add_options(CLI::App& app, ImportOptions& options) {
  app.add_option("NOTEBOOK", options.notebook, "a Jupyter notebook (.ipynb), or a printed one")->required();
  app.add_option("--slug", options.slug, "the notebook's name, for its files and its function in C++")
      ->type_name("NAME");
  app.add_option("--into", options.into,
                 "write the files into DIR, and add the notebook to DIR/CMakeLists.txt")
      ->type_name("DIR")
      ->default_str(".");
  app.add_flag("--update", options.update,
               "keep C++ that you wrote for cells whose Python has not changed, translate others");
  app.add_flag("--frame", options.frame,
               "run and translate nothing: each cell of the port is yours to write");
  app.add_flag("--unproved", options.unproved, "prove nothing, and write the translator's output")
      ->group("");  // hidden: torchbook's own tests look for what the proof would take back
  app.add_option("--restore", options.restore, "set SEED above CELL, and skip DRAWS draws: 3=1431708788,64")
      ->type_name("CELL=SEED,DRAWS");
  app.add_flag(
      "--check", options.check,
      "write nothing; compare DIR/NAME.golden with the outputs in the notebook, or with a new run if it was "
      "made by one");
  app.add_option("--record", options.record,
                 "record the outputs, values and calls of the run in FILE, a line of JSON for each cell")
      ->type_name("FILE");
  add_python_options(app, options.python, "the time limit for PyTorch, and for the port");
  app.get_option("--python")->description("the Python whose PyTorch runs the cells");
  exclude(app, "--check", {"--update", "--frame", "--restore"});
  exclude(app, "--frame", {"--record"});
}

/// Throws UsageError if an option would have no effect.
void refuse_needless(const CLI::App& app, const ImportOptions& options) {
  for (const auto* const option : {"--python", "--timeout"}) {
    if (!options.frame || app.get_option(option)->count() == 0) continue;
    throw UsageError(fmt::format("{} does nothing with --frame, which runs nothing", option));
  }
}

/// Reports the result of an import. Returns its exit code.
int tell(const Imported& imported, const Program& program) {
  write_stdout(imported.report);
  say(program, imported.said);
  return imported.code;
}

int import_and_judge(const ImportOptions& options, const Program& program) {
  auto imported = import_notebook(options);
  const int code = tell(imported, program);  // before the build, which takes long
  if (!imported.port) return code;
  return std::max(code, tell(judge_port(*imported.port, options.python.timeout), program));
}

}  // namespace

void add_import(CLI::App& app, const Program& program, Work& work) {
  auto options = std::make_shared<ImportOptions>();
  auto& command =
      add_command(app, "import", "translate a Python notebook into C++: golden, twin and port",
                  "A cell is ported only if its C++ ended with the outputs and values of its Python.\n"
                  "Exit codes: 0 done, also if cells are not ported, 1 a ported cell differs,\n"
                  "the port does not compile or does not end in time, or the golden differs from\n"
                  "the notebook's outputs (--check), 2 wrong usage, missing or broken input, or\n"
                  "unwritable output, 3 a cell threw.");
  add_options(command, *options);
  command.callback([&command, options, &program, &work] {
    refuse_needless(command, *options);
    work = [options, &program] { return import_and_judge(*options, program); };
  });
}

}  // namespace torchbook::cli
