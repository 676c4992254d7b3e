// Defines the options that several commands take.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/program.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/notebook/parse_integer.h>
#include <torchbook/notebook/ported_notebook.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <system_error>

namespace torchbook::cli {
namespace {

namespace fs = std::filesystem;
using report::Sources;

/// Returns the error for a word that is none of those that an option takes.
std::string none_of(const std::string& word, const std::vector<std::string>& words) {
  if (word.empty()) return fmt::format("an empty text is not one of {}", fmt::join(words, ", "));
  return fmt::format("{} is not one of {}{}", word, fmt::join(words, ", "), did_you_mean(word, words));
}

/// Adds an option whose value is the word of one of `choices`. The error for any other word lists
/// all choices.
template <class Target, class Choice>
void add_choice(CLI::App& app, const std::string& name, Target& target, const std::string& description,
                std::initializer_list<Choice> choices) {
  std::map<std::string, Choice> values;
  std::vector<std::string> words;  // in the order of the choices
  for (const Choice choice : choices) values.emplace(words.emplace_back(option_word(choice)), choice);
  const auto check = [values, words](const std::string& word) {
    return values.contains(word) ? std::string() : none_of(word, words);
  };
  const auto store = [&target, values](const std::string& word) { target = values.at(word); };
  app.add_option_function<std::string>(name, store, description)
      ->check(CLI::Validator(check, ""))
      ->type_name(fmt::format("{}", fmt::join(words, "|")));
}

bool is_file(const NamedFile& file) { return !file.path.empty() && file.path != "-"; }

/// Returns whether both paths refer to the same file, which may not exist yet. Devices and pipes do
/// not count.
bool are_same(const NamedFile& one, const NamedFile& other) {
  if (!is_file(one) || !is_file(other)) return false;
  std::error_code none;
  if (fs::exists(one.path, none) && !fs::is_regular_file(one.path, none)) return false;
  const auto place = [&](const NamedFile& file) {
    return fs::weakly_canonical(fs::absolute(file.path, none), none);
  };
  return place(one) == place(other) || fs::equivalent(one.path, other.path, none);
}

}  // namespace

std::string_view option_word(Format format) {
  constexpr std::array<std::string_view, 3> words = {"text", "json", "ipynb"};
  return words.at(static_cast<std::size_t>(format));
}

std::string_view option_word(Sources sources) {
  constexpr std::array<std::string_view, 4> words = {"none", "cpp", "python", "both"};
  return words.at(static_cast<std::size_t>(sources));
}

std::string_view option_word(Colour colour) {
  constexpr std::array<std::string_view, 3> words = {"auto", "always", "never"};
  return words.at(static_cast<std::size_t>(colour));
}

std::string option_word(golden::Accept accept) {
  if (accept.least == golden::Accept::ulps) return fmt::format("ulps={}", accept.most_ulps);
  constexpr std::array<std::string_view, 4> words = {"equal", "printed", "", "explained"};
  return std::string(words.at(accept.least));
}

CLI::App& add_command(CLI::App& app, const std::string& name, const std::string& description,
                      const std::string& exit_codes) {
  auto* command = app.add_subcommand(name, description);
  command->footer(exit_codes);
  return *command;
}

void add_slugs(CLI::App& app, std::vector<std::string>& slugs) {
  app.add_option("SLUG", slugs, "the notebooks, by name or a part of it; without one, all of them");
}

void add_output_options(CLI::App& app, Output& output, const std::string& description,
                        std::initializer_list<Format> formats) {
  add_choice(app, "--format", output.format, description, formats);
  app.add_option("-o,--output", output.file, "write the report to FILE; - is stdout, the default")
      ->type_name("FILE");
}

void add_output_options(CLI::App& app, Output& output) {
  add_output_options(app, output, "text for people, or json for programs", {Format::text, Format::json});
}

void add_colour_option(CLI::App& app, Colour& colour) {
  add_choice(app, "--color", colour, "use colours; auto does so on a terminal, unless NO_COLOR is set",
             {Colour::automatic, Colour::always, Colour::never});
}

void add_cell_options(CLI::App& app, ReportOptions& options) {
  app.add_option("--cell", options.cells,
                 "show only these cells: 26, In [26], @7, a range 26-40 or @7-@9, or a list 3,13,@7-@9; "
                 "the cells before them run silently; repeatable")
      ->type_name("CELL")
      ->allow_extra_args(false);
  app.add_flag("--failed", options.failed, "show only the cells that do not pass");
  app.add_flag("--quiet", options.quiet, "show only failures and the summary");
  exclude(app, "--quiet", {"--failed"});
  add_colour_option(app, options.colour);
}

void add_exceptions_option(CLI::App& app, std::string& file) {
  app.add_option("--exceptions", file,
                 "more known deviations, a line each: SLUG @4 tolerance rtol=1e-5: exp of float32 on arm64")
      ->type_name("FILE");
}

void add_source_option(CLI::App& app, ReportOptions& options) {
  add_choice(app, "--source", options.source, "show each cell's C++ source, its PyTorch twin, both, or none",
             {Sources::both, Sources::cpp, Sources::python, Sources::none});
}

static std::optional<golden::Accept> accept_of(std::string_view word) {
  constexpr std::string_view limit = "ulps=";
  if (word == "equal") return golden::Accept::equal;
  if (word == "printed") return golden::Accept::printed;
  if (word == "explained") return golden::Accept::explained;
  if (!word.starts_with(limit)) return std::nullopt;
  const auto most = notebook::parse_integer<std::uint64_t>(word.substr(limit.size()));
  return most ? std::optional(golden::Accept(golden::Accept::ulps, *most)) : std::nullopt;
}

void add_verdict_options(CLI::App& app, ReportOptions& options, bool explains) {
  std::vector<std::string> words = {"equal", "printed"};
  if (explains) words.emplace_back("explained");
  words.emplace_back("ulps=N");
  const auto check = [words](const std::string& word) {
    if (word.starts_with("ulps="))
      return accept_of(word) ? "" : fmt::format("{} has no whole number after ulps=, such as ulps=4", word);
    if (word.find(',') != word.npos)
      return fmt::format("{}: only one of {} is taken", word, fmt::join(words, ", "));
    return std::find(words.begin(), words.end(), word) != words.end() ? "" : none_of(word, words);
  };
  app.add_option_function<std::string>(
         "--accept", [&options](const std::string& word) { options.accept = *accept_of(word); },
         fmt::format(
             "which outputs pass: equal bytes, or also those equal as printed{}, or off by at most N ulps",
             explains ? ", explained by settings" : ""))
      ->check(CLI::Validator(check, ""))
      ->type_name(fmt::format("{}", fmt::join(words, "|")));
  app.add_option("--junit", options.junit, "also write a JUnit report for CI servers to FILE; - is stdout")
      ->type_name("FILE");
  app.add_flag(
      "--isolate", options.isolate,
      "report a cell that crashes as one that throws, and run the other notebooks; --junit implies it");
}

void add_python_options(CLI::App& app, PythonOptions& python, const std::string& timeout) {
  app.add_option("--python", python.named, "the Python whose PyTorch runs the twins")
      ->type_name("PATH")
      ->default_str(default_python);
  app.add_option("--timeout", python.timeout, timeout)
      ->check(CLI::Range(1, 86400))
      ->type_name("SECONDS")
      ->capture_default_str();
}

void add_twin_options(CLI::App& app, PythonOptions& python, const std::string& timeout) {
  add_python_options(app, python, timeout);
  app.add_option("--twins", python.twins, "run the twins DIR/SLUG.py instead of those built in")
      ->type_name("DIR");
}

void add_trace_option(CLI::App& app, bool& trace) {
  app.add_flag("--trace", trace,
               "for each cell that differs, name the first operation that differs from PyTorch's, and why");
}

void exclude(CLI::App& app, const std::string& option, std::initializer_list<const char*> others) {
  for (const auto* other : others) app.get_option(option)->excludes(app.get_option(other));
}

void refuse_in(Format format, const CLI::App& app, std::initializer_list<const char*> names) {
  for (const auto* name : names) {
    if (app.get_option(name)->count() == 0) continue;
    throw UsageError(fmt::format("{} does nothing with --format {}", name, option_word(format)));
  }
}

void refuse_impossible_files(const ReportOptions& options) {
  if (options.junit == "-" && options.output.to_stdout())
    throw UsageError("--junit - needs stdout for itself; send the other report to a file with --output FILE");
  require_writable(options.junit);
  if (options.output.format != Format::ipynb)
    require_writable(options.output.file);  // else it may be a folder
}

void refuse_clashes(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read) {
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto& [option, path] = written[i];
    for (const auto& other : read) {
      if (!are_same(written[i], other)) continue;
      throw UsageError(fmt::format("{} would overwrite {}, which {} reads; name another file", option, path,
                                   other.option));
    }
    for (std::size_t j = i + 1; j < written.size(); ++j) {
      if (!are_same(written[i], written[j])) continue;
      throw UsageError(fmt::format("{} and {} are both {}; they need a file each", option, written[j].option,
                                   written[j].path));
    }
  }
}

}  // namespace torchbook::cli
