// Defines the options of each command.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/nearest.h>
#include <torchbook/cli/option_groups.h>
#include <torchbook/cli/option_words.h>

#include <CLI/CLI.hpp>
#include <map>

namespace torchbook::cli {
namespace {

/// Adds an option that takes the word of one of `choices`. Any other word is refused, with a list of all
/// choices.
template <class Target, class Choice>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Target& target,
                        const std::string& description, std::initializer_list<Choice> choices) {
  std::map<std::string, Choice> values;
  std::vector<std::string> words;  // in the order of the choices
  for (const Choice choice : choices) values.emplace(words.emplace_back(option_word(choice)), choice);
  const auto check = [values, words](const std::string& word) {
    if (values.contains(word)) return std::string();
    if (word.empty()) return fmt::format("an empty text is none of {}", fmt::join(words, ", "));
    return fmt::format("{} is none of {}{}", word, fmt::join(words, ", "), did_you_mean(word, words));
  };
  const auto store = [&target, values](const std::string& word) { target = values.at(word); };
  return app.add_option_function<std::string>(name, store, description)
      ->check(CLI::Validator(check, ""))
      ->type_name(fmt::format("{}", fmt::join(words, "|")));
}

void add_report_options(CLI::App& app, Options& options, const std::string& description,
                        std::initializer_list<Format> formats) {
  add_choice(app, "--format", options.format, description, formats);
  app.add_option("-o,--output", options.output, "write the report to FILE; - is stdout, the default")
      ->type_name("FILE");
}

void add_verdict_options(CLI::App& app, Options& options) {
  add_choice(app, "--accept", options.accept, "what passes: equal bytes, or what is equal as printed, too",
             {golden::Accept::equal, golden::Accept::printed});
  app.add_option("--junit", options.junit, "also write a report for CI servers to FILE; - is stdout")
      ->type_name("FILE");
}

void add_colour_option(CLI::App& app, Options& options) {
  add_choice(app, "--color", options.colour, "colours: on a terminal without NO_COLOR, always, or never",
             {Colour::automatic, Colour::always, Colour::never});
}

/// Adds the options that choose cells, and how much a report for people says of them.
void add_cell_options(CLI::App& app, Options& options) {
  app.add_option("--cell", options.cells,
                 "show only these cells: 26, In [26], @7, a range 26-40 or @7-@9, or a list 3,13,@7-@9; "
                 "what comes before them runs silently; repeatable")
      ->type_name("CELL")
      ->allow_extra_args(false);
  app.add_flag("--failed", options.failed, "show only the cells that do not pass");
  app.add_flag("--quiet", options.quiet, "show only what fails, and the summary");
  add_colour_option(app, options);
}

void add_transcript_options(CLI::App& app, Options& options, Flags& flags) {
  app.add_flag("--check", flags.check, "show the verdicts without the transcript");
  app.add_flag("--heatmap", options.heatmap, "draw the tensors that cells print and display, in colours");
  app.add_flag("--step", options.step, "show one cell at a time, by key");
}

/// Adds the options that say how twins run, and which.
void add_twin_options(CLI::App& app, CompareOptions& compare, const std::string& timeout) {
  add_python_options(app, compare, timeout);
  app.add_option("--twins", compare.twins, "run the twins DIR/SLUG.py instead of those built in")
      ->type_name("DIR");
}

}  // namespace

void add_python_options(CLI::App& app, CompareOptions& compare, const std::string& timeout) {
  app.add_option("--python", compare.python, "the Python whose PyTorch runs the twins")
      ->type_name("PATH")
      ->default_str(default_python);
  app.add_option("--timeout", compare.timeout, timeout)
      ->check(CLI::Range(1, 86400))
      ->type_name("SECONDS")
      ->capture_default_str();
}

void add_output_options(CLI::App& app, Options& options) {
  add_report_options(app, options, "text, for people, or json, for programs", {Format::text, Format::json});
}

void add_check_options(CLI::App& app, Options& options, Flags& flags, std::initializer_list<Format> formats) {
  app.add_flag("--list", flags.list, "list the cells, run none");
  add_cell_options(app, options);
  app.add_flag("--times", options.times, "show how long each cell took");
  app.add_option("--golden", options.golden,
                 "compare with this golden instead of the one built in; - is stdin")
      ->type_name("FILE");
  using report::Sources;
  add_choice(app, "--source", options.source, "show each cell's C++ source, its PyTorch twin, both, or none",
             {Sources::both, Sources::cpp, Sources::python, Sources::none});
  add_verdict_options(app, options);
  add_report_options(app, options,
                     formats.size() > 2 ? "text, json for programs, a Jupyter notebook, or Markdown"
                                        : "text, for people, or json, for programs",
                     formats);
}

void add_all_options(CLI::App& app, Options& options, Flags& flags) {
  add_transcript_options(app, options, flags);
  add_check_options(app, options, flags, {Format::text, Format::json, Format::ipynb, Format::markdown});
}

void add_trace_option(CLI::App& app, CompareOptions& compare) {
  app.add_flag("--trace", compare.trace,
               "tell at which operation each cell that differs parts from PyTorch, and why");
}

void add_compare_options(CLI::App& app, Options& options) {
  auto& compare = options.compare;
  add_cell_options(app, options);
  add_twin_options(app, compare,
                   "the time that PyTorch may take, and that a second run with other settings may take");
  app.add_flag("--keep-going,!--no-keep-going", compare.keep_going,
               "run the cells of a twin behind one that raised (the default), or do not");
  app.add_option("--record", compare.record, "keep what PyTorch gave, bit for bit, in DIR/SLUG.json")
      ->type_name("DIR");
  app.add_option_function<std::string>(
         "--reference", [&compare](const std::string& word) { set_reference(compare, word); },
         "compare with the recordings DIR/SLUG.json, or with those built in, instead of a live PyTorch")
      ->type_name("DIR|built-in");
  add_trace_option(app, compare);
  app.add_flag("--once", compare.once,
               "if bits differ, do not run again with the settings that would make them the same");
  add_verdict_options(app, options);
  add_output_options(app, options);
}

void add_golden_options(CLI::App& app, Options& options) {
  app.add_flag("--from-python", options.from_python, "make it of what PyTorch gives for the twin")
      ->required();
  add_twin_options(app, options.compare, "the time that PyTorch may take");
  app.add_option("-o,--output", options.output, "write the golden to FILE; - is stdout, the default")
      ->type_name("FILE");
}

void add_part_options(CLI::App& app, Options& options) {
  add_report_options(app, options, "text, for people, json, for programs, or html, a page",
                     {Format::text, Format::json, Format::html});
  add_colour_option(app, options);
}

}  // namespace torchbook::cli
