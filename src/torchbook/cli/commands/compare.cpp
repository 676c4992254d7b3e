// `torchbook compare`: runs the twins under PyTorch, and shows verdicts.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/commands/comparison.h>
#include <torchbook/cli/commands/rounding.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/reports.h>
#include <torchbook/cli/shared/selection.h>
#include <torchbook/cli/system/child.h>
#include <torchbook/cli/system/cleanup.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/golden/judgement.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/notebook/kernels.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace torchbook::cli {
namespace {

struct CompareOptions {
  ReportOptions report{};
  Comparison how{};
  bool once = false;              ///< if bits differ, name the settings that may help, but try none
  std::string beyond_rounding{};  ///< a trace whose operations to compute again, instead of a comparison
};

void add_options(CLI::App& app, CompareOptions& options) {
  auto& how = options.how;
  add_slugs(app, options.report.slugs);
  add_cell_options(app, options.report);
  add_twin_options(app, how.python,
                   "the time limit for PyTorch, and that a second run with other settings may take");
  app.add_flag("--keep-going,!--no-keep-going", how.keep_going,
               "run the cells of a twin behind one that raised (the default), or do not");
  app.add_option("--record", how.record, "save PyTorch's outputs, bit for bit, as DIR/SLUG.json")
      ->type_name("DIR");
  app.add_option(
         "--reference", how.reference,
         "compare with the recordings DIR/SLUG.json, or with those built in, instead of a live PyTorch")
      ->type_name("DIR|built-in");
  add_exceptions_option(app, how.exceptions);
  add_trace_option(app, how.trace);
  app.add_flag("--once", options.once,
               "if bits differ, do not run again with settings that may make them equal");
  app.add_option(rounding_option, options.beyond_rounding)->group("");
  add_verdict_options(app, options.report, true);
  add_output_options(app, options.report.output);
  exclude(app, "--reference", {"--python", "--twins", "--record", "--trace", "--keep-going"});
}

/// Throws UsageError if an option that takes a folder names a file.
void refuse_file(const char* option, const std::string& path) {
  std::error_code unreadable;  // reading from the folder says why
  if (std::filesystem::exists(path, unreadable) && !std::filesystem::is_directory(path, unreadable))
    throw UsageError(fmt::format("{} needs a folder, and {} is a file", option, path));
}

/// Throws UsageError if an option would have no effect.
void refuse_needless(const CLI::App& app, const CompareOptions& options) {
  const auto format = options.report.output.format;
  if (format != Format::text) refuse_in(format, app, {"--quiet", "--color"});
  const bool waits = options.how.reference.empty() || !options.once;
  if (app.get_option("--timeout")->count() > 0 && !waits)
    throw UsageError(
        "--timeout does nothing with --reference and --once, which run no twin and try no settings");
  if (options.once && options.report.accept.least == golden::Accept::explained)
    throw UsageError(
        "--accept explained and --once do not go together: only a setting that was tried explains");
}

/// Returns the options that repeat how ports and twins are compared.
std::vector<std::string> options_of(const Comparison& how) {
  std::vector<std::string> words;
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {option, value});
  };
  add("--twins", how.python.twins);
  add("--reference", how.reference);
  add("--exceptions", how.exceptions);
  if (!how.keep_going) words.emplace_back("--no-keep-going");
  add("--python", how.python.named.value_or(""));
  return words;
}

SameCommand same_command(const CompareOptions& options, const Program& program) {
  auto words = options_of(options.how);
  const auto accept = options.report.accept;
  if (accept != golden::Accept::equal) words.insert(words.begin(), {"--accept", option_word(accept)});
  if (options.once) words.emplace_back("--once");
  if (options.how.trace) words.emplace_back("--trace");
  return same_command(program, "compare", words);
}

/// Returns the arguments that repeat this comparison. `--once` keeps that run from starting a third
/// one. It saves no recordings.
std::vector<std::string> same_comparison(const CompareOptions& options) {
  auto words = options_of(options.how);
  words.insert(words.begin(), {"compare", "--once", "--format", "json"});
  if (options.how.reference.empty())
    words.insert(words.end(), {"--timeout", std::to_string(options.how.python.timeout)});
  for (const auto& cell : options.report.cells) words.insert(words.end(), {"--cell", cell});
  words.insert(words.end(), options.report.slugs.begin(), options.report.slugs.end());
  return words;
}

/// Throws UsageError if a file would be both written and read, or written twice.
void refuse_clashes_of(const CompareOptions& options, const std::vector<SelectedNotebook>& notebooks) {
  std::vector<NamedFile> written = {{"--output", options.report.output.file},
                                    {"--junit", options.report.junit}};
  std::vector<NamedFile> read;
  const auto add = [](std::vector<NamedFile>& files, const char* option, const std::string& folder,
                      std::string_view slug, const char* ending) {
    if (!folder.empty()) files.push_back({option, fmt::format("{}/{}{}", folder, slug, ending)});
  };
  for (const auto& each : notebooks) {
    add(written, "--record", options.how.record, each.notebook.slug, ".json");
    if (options.how.reference != built_in)
      add(read, "--reference", options.how.reference, each.notebook.slug, ".json");
    add(read, "--twins", options.how.python.twins, each.notebook.slug, ".py");
  }
  refuse_clashes(written, read);
}

/// Counts the outputs of a report, and how many of them are equal. A notebook in which something threw, or
/// that could not be judged, counts as an output that differs.
void count(const nlohmann::json& report, report::Trial& trial) {
  for (const auto& notebook : report.at("notebooks")) {
    if (notebook.contains("failure") || notebook.contains("error")) {
      ++trial.outputs;
      trial.different.push_back(notebook.at("notebook").get<std::string>());
    }
    for (const auto& cell : notebook.at("cells")) {
      const auto* verdict = golden::verdict_named(cell.at("verdict").get<std::string>());
      if (verdict == nullptr || !verdict->compared) continue;
      ++trial.outputs;
      if (verdict->verdict == golden::Verdict::equal) {
        ++trial.equal;
      } else {
        trial.different.push_back(fmt::format("{} @{}", notebook.at("notebook").get<std::string>(),
                                              cell.at("position").get<std::size_t>()));
      }
    }
  }
}

report::Trial trial_with(const std::vector<std::string>& settings, const std::vector<std::string>& arguments,
                         std::chrono::seconds limit) try {
  const auto ended = run_again(settings, arguments, limit, [&](std::chrono::seconds passed) {
    tell_waiting(passed, fmt::format("the same comparison with {}", fmt::join(settings, " ")));
  });
  report::Trial trial{.settings = settings};
  const auto report = nlohmann::json::parse(ended.answer, nullptr, /*allow_exceptions=*/false);
  if (ended.timed_out) {
    trial.failure = fmt::format("it was not done within {} s (--timeout sets another limit)", limit.count());
  } else if (!report.is_object() || !report.contains("notebooks")) {
    trial.failure = "it " + how_it_ended(ended);
  } else {
    count(report, trial);
  }
  return trial;
} catch (const UsageError& error) {  // the program could not be started
  return {.settings = settings, .failure = error.what()};
}

/// Returns what the traces show of the first cell that does not pass, after its name: `sums @3: other random
/// numbers: …`. Returns an empty text if they show nothing, or another kernel.
std::string traced(const golden::JudgedTranscript& judged, golden::Accept accept) {
  for (const auto& [position, judgement] : judged.judgements) {
    if (judgement.partings.empty() || golden::passes(judgement, accept)) continue;
    const auto& first = judgement.partings.front();
    if (first.kind == "kernel" || first.kind == "text") return {};
    return fmt::format("{} @{}: {}", judged.transcript.slug, position, first.lines.front());
  }
  return {};
}

/// Returns what names the operation at which a notebook differs, or an empty text if the comparison did.
std::string how_to_trace(const Comparison& how, const Program& program, std::string_view slug) {
  if (how.trace) return {};
  if (how.reference.empty()) return "the same command with --trace names the first operation that differs";
  return fmt::format("for the operation, run `{}` against a live PyTorch",
                     same_command(program, "compare", {"--trace"})(slug));
}

/// Explains a comparison in which values differ. Returns nullopt if none differ.
std::optional<report::Explanation> explained(const std::vector<golden::JudgedTranscript>& judged,
                                             const CompareOptions& options, const Program& program) {
  const auto accept = options.report.accept;
  const auto differs = std::find_if(judged.begin(), judged.end(), [&](const auto& one) {
    // A difference after a cell that threw may be a consequence of the exception.
    return one.compared_with && !golden::threw(one) && golden::values_differ(one, accept);
  });
  if (differs == judged.end()) return std::nullopt;
  return report::Explanation{
      .causes = golden::causes(notebook::fingerprint(), *differs->compared_with, notebook::best_capability()),
      .traced = traced(*differs, accept),
      .how_to_trace = how_to_trace(options.how, program, differs->transcript.slug)};
}

/// Returns the sets that a list has, without the empty one: those of one, then of two, and so on.
std::vector<std::vector<std::string>> sets_of(const std::vector<std::string>& all) {
  std::vector<std::vector<std::string>> sets;
  for (unsigned bits = 1; bits < 1U << all.size(); ++bits) {
    auto& set = sets.emplace_back();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if ((bits >> i & 1U) != 0) set.push_back(all[i]);
    }
  }
  std::stable_sort(sets.begin(), sets.end(),
                   [](const auto& one, const auto& other) { return one.size() < other.size(); });
  return sets;
}

/// Runs this program again with the settings that make this side like PyTorch, up to the first ones that make
/// all outputs equal. The fewest settings come first.
void try_settings(report::Explanation& explanation, const std::vector<std::string>& arguments, int seconds) {
  for (const auto& settings : sets_of(report::settings(explanation.causes))) {
    explanation.trials.push_back(trial_with(settings, arguments, std::chrono::seconds(seconds)));
    if (explanation.makes_all_equal() != nullptr || !explanation.trials.back().failure.empty()) return;
  }
}

int compare_and_report(const CompareOptions& options, const Program& program) {
  const auto& report = options.report;
  refuse_impossible_files(report);
  refuse_file("--reference", options.how.reference);
  refuse_file("--twins", options.how.python.twins);
  const auto selected = select_cells(selected_notebooks(report.slugs), report.cells);
  refuse_clashes_of(options, selected);
  const auto& how = options.how;
  if (report.isolates() && can_be_read_again(how.exceptions)) start_again_on_faults();
  JudgedRuns runs{.all = compare(selected, how), .again = same_command(options, program)};
  auto why = explained(runs.all, options, program);
  if (why && why->traced.empty() && !options.once) {
    try_settings(*why, same_comparison(options), how.python.timeout);
    if (why->makes_all_equal() != nullptr)
      judge_rounding(*why, selected, runs.all, std::chrono::seconds(how.python.timeout));
  }
  const auto* by = why ? why->explained_by() : nullptr;
  if (report.accept.least == golden::Accept::explained && by != nullptr) {
    for (auto& one : runs.all)
      golden::excuse_kernels(one, fmt::format("equal with {}", fmt::join(by->settings, " ")));
  }
  runs.explanation = std::move(why);
  return report_runs(std::move(runs), report, program);
}

}  // namespace

void add_compare(CLI::App& app, const Program& program, Work& work) {
  auto options = std::make_shared<CompareOptions>();
  auto& command = add_command(
      app, "compare", "run the notebooks in Python, too, and compare texts and bits",
      fmt::format("Takes about five seconds for torchbook's five notebooks, most of it in Python.\n\n{}",
                  exit_codes_of_runs));
  add_options(command, *options);
  command.callback([&command, options, &program, &work] {
    refuse_needless(command, *options);
    work = [options, &program] {
      return options->beyond_rounding.empty() ? compare_and_report(*options, program)
                                              : tell_beyond_rounding(options->beyond_rounding);
    };
  });
}

}  // namespace torchbook::cli
