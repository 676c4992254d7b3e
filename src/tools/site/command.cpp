// `torchbook site`: runs ports and twins, and writes the results as web pages.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/site/site.h>
#include <tools/site/tex.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/commands/comparison.h>
#include <torchbook/cli/shared/goldens.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/reports.h>
#include <torchbook/cli/shared/selection.h>
#include <torchbook/cli/shared/tools.h>
#include <torchbook/cli/system/child.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/notebook/cells/cmake_commands.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/notebook/lines.h>
#include <torchbook/report/quoted.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

namespace torchbook::cli {

extern const std::string_view tex_script;     // tex.js
extern const std::string_view porting_guide;  // the chapters of docs/porting, one after another

namespace {

struct SiteOptions {
  std::vector<std::string> slugs{};
  std::string folder{};
  std::vector<std::string> questions{};  ///< files of questions, each instead of those beside a port
  PythonOptions python{};
  bool trace = false;           ///< whether to find the operations at which cells part
  bool without_python = false;  ///< whether to compare with the documents only
  bool watch = false;           ///< whether to write the pages of notebook files at each save
  std::string stamp{};          ///< of pages that reload; empty: they do not
};

/// The result of writing a site.
struct WrittenSite {
  std::string report;                 ///< the verdicts, and the folder of the site
  ExitCode code = exit_equal;         ///< by the documents and, if there was one, by the live PyTorch
  std::vector<std::string> errors{};  ///< lines on cells that threw and on notebooks that could not be judged
};

/// Runs the live comparison. Returns nullopt and sets `why` if there is no PyTorch and no option needs one.
std::optional<std::vector<golden::JudgedTranscript>> live_comparison(
    const std::vector<SelectedNotebook>& notebooks, const SiteOptions& options, std::string& why) {
  if (options.without_python) {
    why = "none was asked for (--no-python).";
    return std::nullopt;
  }
  try {
    return compare(notebooks, {.python = options.python, .trace = options.trace, .for_pages = true});
  } catch (const UsageError& error) {
    if (options.python.named || options.trace) throw;
    why = fmt::format("{}.", error.what());
    return std::nullopt;
  }
}

/// Judges a run by its built-in golden. If the golden is broken, the result has the run and the
/// reason.
golden::JudgedTranscript judged_by_document(notebook::Transcript transcript,
                                            const notebook::PortedNotebook& notebook) {
  try {
    return judged_by(built_in_golden(notebook, notebook::fingerprint()), notebook, std::move(transcript));
  } catch (const UsageError& error) {
    return {.transcript = std::move(transcript), .judgements = {}, .failure = error.what()};
  }
}

/// Adds the data of a live comparison that all pages show.
void take_live(const std::vector<golden::JudgedTranscript>& live, site::SiteContent& content,
               WrittenSite& site) {
  site.errors = complaints(live, true);
  site.code = exit_code(live, golden::Accept::equal);
  const auto compared =
      std::find_if(live.begin(), live.end(), [](const auto& one) { return one.compared_with.has_value(); });
  if (compared != live.end()) {
    content.pytorch = compared->compared_with;
  } else {
    content.not_compared = "no twin could be run.";
  }
}

site::SiteContent content_of(const std::vector<SelectedNotebook>& notebooks, const SiteOptions& options,
                             WrittenSite& site) {
  site::SiteContent content;
  content.guide = porting_guide;
  content.here = notebook::fingerprint();
  content.stamp = options.stamp;
  auto live = live_comparison(notebooks, options, content.not_compared);
  if (live) take_live(*live, content, site);
  for (std::size_t i = 0; i < notebooks.size(); ++i) {
    site::SiteNotebook notebook;
    auto transcript = live ? std::move((*live)[i].transcript)
                           : notebook::run_traced(notebooks[i].notebook, recorder().library);
    if (live) notebook.live = std::move((*live)[i].judgements);
    if (live) notebook.live_failure = (*live)[i].failure.value_or("");
    notebook.questions_file = notebooks[i].notebook.questions_file;
    notebook.questions = notebooks[i].notebook.questions;
    notebook.judged = judged_by_document(std::move(transcript), notebooks[i].notebook);
    content.notebooks.push_back(std::move(notebook));
  }
  return content;
}

/// Returns what tex.js makes of formulas; nullopt if Node or KaTeX is not there.
std::optional<nlohmann::json> mathml_of(const std::vector<site::Tex>& formulas) try {
  constexpr std::chrono::seconds longest{60};
  auto given = nlohmann::json::array();
  for (const auto& [text, display] : formulas) given.push_back({text, display});
  const char* const path = std::getenv("NODE_PATH");
  const auto modules = fmt::format("NODE_PATH={}:/usr/share/nodejs", path == nullptr ? "" : path);
  Child node({"env", modules, "node", "-e", std::string(tex_script)}, given.dump());
  const auto ended = node.wait(longest, [](std::chrono::seconds passed) { tell_waiting(passed, "KaTeX"); });
  auto made = nlohmann::json::parse(ended.code == 0 ? ended.answer : "", nullptr, /*allow_exceptions=*/false);
  return made.is_array() && made.size() == formulas.size() ? std::optional(std::move(made)) : std::nullopt;
} catch (const UsageError&) {  // a program cannot be started
  return std::nullopt;
}

/// Turns the formulas of notes into MathML. Returns a line on those that stay TeX, or an empty text.
std::string typeset(std::vector<site::SiteFile>& files) {
  const auto formulas = site::tex_of(files);
  if (formulas.empty()) return {};
  const auto made = mathml_of(formulas);
  if (!made)
    return fmt::format("{} left as TeX, because node does not find KaTeX (Debian: apt install katex)",
                       notebook::counted(formulas.size(), "formula"));
  std::vector<std::string> elements;
  std::string first;
  std::size_t unread = 0;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    elements.push_back((*made)[i].at(0).get<std::string>());
    if (elements.back().empty() && ++unread == 1)
      first = fmt::format("'{}': {}", report::shortened(formulas[i].text),
                          report::shortened((*made)[i].at(1).get<std::string>()));
  }
  site::set_mathml(files, elements);
  return unread == 0
             ? ""
             : fmt::format("{} left as TeX; the first is {}", notebook::counted(unread, "formula"), first);
}

void write_files(const std::vector<site::SiteFile>& files, const std::string& folder) {
  make_folder(folder);
  for (const auto& [name, text] : files) write_file((std::filesystem::path(folder) / name).string(), text);
}

/// Asks the questions of a file on the page of its notebook, instead of those beside the port. `before` are
/// the files whose questions are asked already.
void ask(const std::string& file, const std::string& text, std::span<const std::string> before,
         std::vector<SelectedNotebook>& notebooks) {
  const auto slug = site::slug_of_questions(text);
  if (slug.empty())
    throw UsageError(fmt::format(
        "{}:1: the first line must be 'questions on SLUG', with a notebook of these pages", file));
  std::vector<std::string_view> slugs;
  for (auto& [notebook, positions] : notebooks) {
    slugs.push_back(notebook.slug);
    if (notebook.slug != slug) continue;
    if (std::ranges::find(before, notebook.questions_file) != before.end())
      throw UsageError(fmt::format(
          "{}:1: {} already has the questions on '{}'; give --questions one file for each notebook", file,
          notebook.questions_file, slug));
    notebook.questions_file = file;
    notebook.questions = text;
    return;
  }
  throw UsageError(fmt::format("{}:1: these pages have no notebook '{}'; they have {}", file, slug,
                               fmt::join(slugs, ", ")));
}

/// Runs and judges the notebooks, and writes their pages. Throws UsageError if the folder cannot be written,
/// or if no Python can run the twins and the user named one or asked for traces. Throws QuestionsError.
WrittenSite write_site(const SiteOptions& options) {
  auto notebooks = select_cells(selected_notebooks(options.slugs), {});
  // Before anything runs, so that no run is in vain.
  require_writable_folder(options.folder);
  std::vector<std::string> questions;
  for (const auto& file : options.questions) questions.push_back(read_file(file));
  for (std::size_t i = 0; i < questions.size(); ++i)
    ask(options.questions[i], questions[i], std::span(options.questions).first(i), notebooks);
  for (const auto& [notebook, positions] : notebooks) {
    if (site::is_reserved(notebook.slug))
      throw UsageError(fmt::format("the notebook '{0}' needs another slug: {0}.html is a page of the site",
                                   notebook.slug));
    if (!notebook.questions_file.empty())
      site::check_questions(std::string(notebook.questions_file), notebook.questions, notebook.slug);
  }
  WrittenSite site;
  const site::SiteContent content = content_of(notebooks, options, site);
  auto files = site::site_files(content);
  if (auto line = typeset(files); !line.empty()) site.errors.push_back(std::move(line));
  write_files(files, options.folder);
  report::Summary summary;
  for (const auto& notebook : content.notebooks) {
    const std::span<const golden::JudgedTranscript> one(&notebook.judged, 1);
    summary.add(notebook.judged);
    site.code = std::max(site.code, exit_code(one, golden::Accept::equal));
    for (auto& line : complaints(one, true)) {
      if (std::find(site.errors.begin(), site.errors.end(), line) == site.errors.end()) {
        site.errors.push_back(std::move(line));
      }
    }
  }
  site.report = report::summary_text(summary) + '\n';
  if (content.pytorch) {
    const auto live = site::live_outputs(content.notebooks);
    site.report += fmt::format(
        "{}\n", report::outputs_text(live, summary.outputs.all, content.pytorch->torch + ", text and bits"));
  }
  site.report += fmt::format("{}\n", (std::filesystem::path(options.folder) / "index.html").string());
  return site;
}

/// Whether a word names a file. The name of a notebook has no dot and no slash.
bool names_file(const std::string& word) { return word.find_first_of("./") != word.npos; }

/// Returns a path for a program in another folder. A word without a slash is searched in PATH, if
/// `is_program`.
std::string elsewhere(const std::string& path, bool is_program = false) {
  if (is_program && path.find('/') == path.npos) return path;
  return std::filesystem::absolute(path).lexically_normal().string();
}

/// Replaces this program by the tool import, which makes the pages of notebook files. Throws UsageError.
[[noreturn]] void make_pages(const SiteOptions& options, const Program& program) {
  std::vector<std::string> python = {"--timeout", fmt::format("{}", options.python.timeout)}, files, site;
  if (options.python.named)
    python.insert(python.end(), {"--python", elsewhere(*options.python.named, /*is_program=*/true)});
  for (const auto& word : options.slugs) {
    if (!names_file(word))
      throw UsageError(fmt::format("{} is no notebook file; name notebook files, or {}'s own notebooks", word,
                                   program.name));
    read_file(word);
    files.push_back(elsewhere(word));
  }
  require_writable_folder(options.folder);
  site = {"site", "--output", elsewhere(options.folder)};
  for (const auto& file : options.questions) {
    read_file(file);
    site.insert(site.end(), {"--questions", elsewhere(file)});
  }
  if (options.trace) site.emplace_back("--trace");
  if (options.without_python) site.emplace_back("--no-python");
  if (!options.without_python) site.insert(site.end(), python.begin(), python.end());
  std::vector<std::string> words = {"pages"};
  if (options.watch) words.emplace_back("--watch");
  words.insert(words.end(), python.begin(), python.end());
  words.emplace_back("--");
  words.insert(words.end(), files.begin(), files.end());
  words.insert(words.end(), site.begin(), site.end());
  run_tool({.name = "import"}, program, words);
}

/// Returns a line that names the program that writes the pages of the project in the current folder; empty if
/// that is this one, or if there is no project.
std::string other_program(const Program& program) {
  constexpr std::string_view file = "CMakeLists.txt";
  const std::string cmake = std::filesystem::exists(file) ? read_file(std::string(file)) : "";
  for (const auto& command : notebook::cmake_commands(cmake)) {
    if (command.name != "torchbook_add_program" || command.arguments.empty()) continue;
    const auto& name = command.arguments.front();
    if (name == program.name) return {};
    return fmt::format(
        "these are the pages of {}'s own notebooks; build/{} site writes those of this project", program.name,
        name);
  }
  return {};
}

void add_watch_options(CLI::App& command, SiteOptions& options) {
  command.add_flag("--watch", options.watch,
                   "write the pages of notebook files again at each save; a browser shows the new ones");
  command.add_option("--reload", options.stamp, "write pages that reload when another STAMP is written")
      ->group("");  // hidden: for --watch
}

}  // namespace

void add_site(CLI::App& app, const Program& program, Work& work) {
  auto options = std::make_shared<SiteOptions>();
  auto& command = add_command(app, "site", "write pages that show each PyTorch cell beside its C++ cell",
                              exit_codes_of_runs);
  add_slugs(command, options->slugs);
  command.get_option("SLUG")->description(
      "notebooks of this program, or notebook files such as lesson.ipynb");
  command.add_option("-o,--output", options->folder, "write the pages into DIR")
      ->type_name("DIR")
      ->required();
  add_python_options(command, options->python, "the time limit for PyTorch");
  command
      .add_option("--questions", options->questions,
                  "put the questions of FILE on the page of its notebook; may be given several times")
      ->allow_extra_args(false)
      ->type_name("FILE");
  add_trace_option(command, options->trace);
  command.add_flag("--no-python", options->without_python, "compare with the documents only");
  exclude(command, "--no-python", {"--python", "--timeout", "--trace"});
  add_watch_options(command, *options);
  command.callback([options, &program, &work] {
    if (options->folder == "-") throw UsageError("--output -: the pages need a folder, not stdout");
    work = [options, &program] {
      try {
        if (std::ranges::any_of(options->slugs, names_file)) make_pages(*options, program);
        if (options->watch) throw UsageError("--watch needs a notebook file, such as lesson.ipynb");
        if (const auto line = other_program(program); !line.empty()) say(program, {line});
        const WrittenSite site = write_site(*options);
        write_stdout(site.report);
        say(program, site.errors);
        return static_cast<int>(site.code);
      } catch (const site::QuestionsError& error) {
        throw UsageError(error.what());
      }
    };
  });
}

}  // namespace torchbook::cli
