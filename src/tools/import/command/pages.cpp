// Makes the pages of notebook files for `torchbook site`, which has checked its command line and started this
// tool.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/cmake_line.h>
#include <tools/import/command/import.h>
#include <tools/import/command/import_files.h>
#include <tools/import/command/saved.h>
#include <tools/import/slug.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/system/child.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/cli/system/installation.h>
#include <torchbook/notebook/cells/cmake_commands.h>
#include <torchbook/notebook/lines.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

namespace torchbook::cli {
namespace {

namespace fs = std::filesystem;

/// The command line. `words` has absolute paths of notebooks, then `site` and its options.
struct PagesOptions {
  std::vector<std::string> words{};
  PythonOptions python{};
  bool watch = false;
};

/// The notebooks, and the project that they are imported into.
struct Books {
  std::vector<std::string> files{}, slugs{};
  std::string into = ".";  ///< a folder of the project
  Project project{};
  std::string program{};  ///< the program that has the notebooks
  bool own = false;       ///< whether the project is torchbook's, and not the user's
};

/// Returns the program of the project in the current folder, or an empty text.
std::string program_here() {
  constexpr const char* lists = "CMakeLists.txt";
  const auto text = fs::exists(lists) ? read_file(lists) : "";
  const auto commands = notebook::cmake_commands(text);
  const auto found = std::find_if(commands.begin(), commands.end(), [](const auto& command) {
    return command.name == "torchbook_add_program" && !command.arguments.empty();
  });
  return found == commands.end() ? "" : found->arguments.front();
}

/// Chooses the project: that of the current folder if it has a program, otherwise torchbook's own.
void choose_project(Books& books) {
  books.program = program_here();
  books.own = books.program.empty();
  if (books.own) {
    books.into = (fs::path(own_project().build) / "pages").string();
    books.project = {.source = books.into, .build = books.into + "/build"};
    books.program = fmt::format("pages_of_{}", fmt::join(books.slugs, "_"));
    make_folder(books.project.build);
    return;
  }
  auto project = project_of(books.into);
  if (!project) throw UsageError("no CMakeLists.txt here or above calls project(…), so nothing can be built");
  books.project = std::move(*project);
}

/// Throws UsageError if the notebooks cannot be in one program.
Books books_of(std::vector<std::string> files) {
  Books books{.files = std::move(files)};
  const auto& first = books.files.front();
  for (const auto& file : books.files) {
    const auto slug = importing::slug_of(file);
    if (std::find(books.slugs.begin(), books.slugs.end(), slug) != books.slugs.end())
      throw UsageError(fmt::format("{} has the name {}, as another of the notebooks; rename it", file, slug));
    if (fs::path(file).parent_path() != fs::path(first).parent_path())
      throw UsageError(
          fmt::format("{} and {} are in different folders; their pages need a command each", first, file));
    books.slugs.push_back(slug);
  }
  choose_project(books);
  return books;
}

std::string lists_of(const Books& books) { return (fs::path(books.into) / "CMakeLists.txt").string(); }

/// Removes the files of a notebook from torchbook's own project, and starts its CMakeLists.txt anew.
void forget(const Books& books, const std::string& slug) {
  for (const auto* ending : {".cpp", ".py", ".golden", ".exceptions", ".carried", ".questions"})
    fs::remove(fs::path(books.into) / (slug + ending));
  write_file(lists_of(books),
             "# `torchbook site NOTEBOOK` builds here the notebooks that belong to no project.\n"
             "cmake_minimum_required(VERSION 3.25)\nproject(pages LANGUAGES CXX)\n"
             "find_package(torchbook CONFIG REQUIRED COMPONENTS notebook)\n");
}

/// Adds the notebooks and their program to the CMakeLists.txt of torchbook's own project.
void link_notebooks(const Books& books) {
  const auto before = read_file(lists_of(books));
  auto text = before;
  for (const auto& slug : books.slugs) {
    if (!importing::has_notebook(text, slug)) text += importing::cmake_line(slug) + '\n';
  }
  if (!importing::has_program(text, books.program))
    text +=
        fmt::format("torchbook_add_program({} NOTEBOOKS {})\n", books.program, fmt::join(books.slugs, " "));
  if (text != before) write_file(lists_of(books), text);
}

/// Returns the target of the pages if CMake knows it and the notebook, as after its first import.
std::string target_beside(const Books& books, const std::string& slug) {
  const auto text = read_file(lists_of(books));
  const bool known = importing::has_notebook(text, slug) && importing::has_program(text, books.program);
  return known ? books.program + "-site" : "";
}

/// Puts the questions beside a notebook beside its port, if that is in torchbook's own project.
void take_questions(const Books& books, const std::string& file, const std::string& slug) {
  const auto from = fs::path(file).replace_filename(slug + ".questions");
  const auto to = fs::path(books.into) / from.filename();
  const auto text = fs::exists(from) ? read_file(from.string()) : "";
  if (text.empty()) fs::remove(to);
  if (!text.empty() && (!fs::exists(to) || read_file(to.string()) != text)) write_file(to.string(), text);
}

/// Imports a notebook, unless its text and this program are those of its last import.
void import_if_new(const Books& books, const std::string& file, const std::string& slug,
                   const PagesOptions& options, const Program& program) {
  const auto record = fmt::format("{}/{}.imported", books.project.build, slug);
  const auto head = file + '\n';
  const auto version = fs::last_write_time(this_program()).time_since_epoch().count();
  const auto text = fmt::format("{}{} {}\n{}", head, options.python.python(), version, read_file(file));
  const auto before = exists(record) ? read_file(record) : "";
  if (before == text && exists(fmt::format("{}/{}.cpp", books.into, slug))) return;
  if (books.own && !before.starts_with(head)) forget(books, slug);
  fs::remove(record);
  const auto imported = import_notebook({.notebook = file,
                                         .into = books.into,
                                         .own = books.own,
                                         .beside = books.own ? target_beside(books, slug) : "",
                                         .update = true,
                                         .python = options.python});
  write_stdout(imported.report);
  say(program, imported.said);
  make_folder(books.project.build);
  write_file(record, text);
}

/// Runs the program of the pages in the folder of the notebooks. Returns its exit code.
int run_site(const Books& books, const std::string& site, const std::vector<std::string>& words) {
  constexpr std::chrono::hours longest{24};
  std::vector<std::string> command = {"sh",
                                      "-c",
                                      "cd \"$1\" && shift && exec \"$0\" \"$@\" >&3",
                                      fs::absolute(site).string(),
                                      fs::path(books.files.front()).parent_path().string(),
                                      "site"};
  command.insert(command.end(), books.slugs.begin(), books.slugs.end());
  command.insert(command.end(), words.begin(), words.end());
  Child child(command, "");
  const auto ended =
      child.wait(longest, [](std::chrono::seconds passed) { tell_waiting(passed, "the pages"); });
  write_stdout(ended.answer);
  for (const auto line : notebook::lines_of(ended.said)) {
    if (line.find(" s, waiting for ") == line.npos) say_on_stderr(std::string(line));
  }
  return ended.code;
}

/// Imports what is new, builds the program of the pages, and runs it. Returns the exit code.
int make_pages(const Books& books, const PagesOptions& options, const std::vector<std::string>& words,
               const Program& program) {
  for (std::size_t i = 0; i < books.files.size(); ++i) {
    import_if_new(books, books.files[i], books.slugs[i], options, program);
    if (books.own) take_questions(books, books.files[i], books.slugs[i]);
  }
  if (books.own) link_notebooks(books);
  const auto built = build_port(books.project, books.program + "-site");
  if (!built.program.empty()) return run_site(books, built.program, words);
  say(program, {fmt::format("the pages are not built: {}", built.why_not)});
  return built.refused ? exit_different : exit_usage;
}

/// Makes the pages again whenever a notebook or a file of questions is saved. The pages reload themselves.
[[noreturn]] void watch_pages(const Books& books, const PagesOptions& options,
                              const std::vector<std::string>& words, const Program& program) {
  auto watched = books.files;
  for (std::size_t i = 0; i < books.files.size(); ++i)
    watched.push_back(fs::path(books.files[i]).replace_filename(books.slugs[i] + ".questions").string());
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "--questions") watched.push_back(words[i + 1]);
  }
  say(program, {fmt::format("watching {}; Ctrl-C ends", fmt::join(books.files, ", "))});
  while (true) {
    const auto before = saved(watched);
    const auto began = std::chrono::steady_clock::now();
    auto with_stamp = words;
    with_stamp.insert(with_stamp.end(), {"--reload", fmt::format("{}", began.time_since_epoch().count())});
    try {
      make_pages(books, options, with_stamp, program);
    } catch (const std::exception& error) {  // the pages stay as they are until the next save
      say(program, {error.what()});
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    say(program, {fmt::format("after {:.1f} s; waiting for the next save", took.count())});
    wait_until_saved(watched, before);
  }
}

int make_or_watch(const PagesOptions& options, const Program& program) {
  const auto& words = options.words;
  const auto site = std::find(words.begin(), words.end(), "site");
  if (site == words.begin() || site == words.end()) throw UsageError("pages is a part of torchbook site");
  const auto books = books_of({words.begin(), site});
  const std::vector<std::string> of_site(site + 1, words.end());
  if (options.watch) watch_pages(books, options, of_site, program);
  return make_pages(books, options, of_site, program);
}

}  // namespace

void add_pages(CLI::App& app, const Program& program, Work& work) {
  auto options = std::make_shared<PagesOptions>();
  auto& command = add_command(app, "pages", "make the pages of notebook files, for torchbook site", "");
  command.add_option("WORD", options->words, "notebooks, then site and its options")->required();
  add_python_options(command, options->python, "the time limit for PyTorch, and for the port");
  command.add_flag("--watch", options->watch, "make the pages again at each save");
  command.callback([options, &program, &work] {
    work = [options, &program] { return make_or_watch(*options, program); };
  });
}

}  // namespace torchbook::cli
