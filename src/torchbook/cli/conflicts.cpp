// Has two tables: on which reports each option acts, and which options make another one needless.
#include <fmt/format.h>
#include <torchbook/cli/conflicts.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/option_words.h>

#include <string>
#include <string_view>

namespace torchbook::cli {
namespace {

/// What a report shows, as bits.
enum Shown : unsigned { transcripts = 1, verdicts = 2, summary = 4, json = 8, documents = 16, outlines = 32 };

/// The option or command that decides what the report shows, and why others do nothing with it.
struct Decisive {
  Shown shown;
  std::string by;
  std::string_view which;
};

/// The reports on which an option acts.
struct Acts {
  std::string_view option;
  unsigned on;
};

constexpr unsigned any_run = transcripts | verdicts | summary | json | documents;

constexpr Acts table[] = {
    {"--check", verdicts},
    {"--quiet", summary},
    {"--heatmap", transcripts},
    {"--step", transcripts},
    {"--source", transcripts | json | documents},
    {"--times", transcripts | verdicts | json},
    {"--failed", transcripts | verdicts | json},
    {"--color", transcripts | verdicts | summary},
    {"--cell", any_run},
    {"--golden", any_run},
    {"--accept", any_run},
    {"--junit", any_run},
};

/// Two options of which the first one does nothing beside the second one.
struct Needless {
  std::string_view option;
  std::string_view beside;
  std::string_view which;
};

constexpr std::string_view runs_no_twin = "which runs no twin";
constexpr std::string_view has_the_search = "which takes the search from the state files";

constexpr Needless pairs[] = {
    {"--call", "--join", has_the_search},
    {"--offsets", "--join", has_the_search},
    {"--seeds", "--join", has_the_search},
    {"--shard", "--join", has_the_search},
    {"--state", "--join", has_the_search},
    {"--notebook", "--join", has_the_search},
    {"--cell", "--join", has_the_search},
    {"--output", "--step", "which shows cells on the terminal"},
    {"--update", "--check", "which writes no file"},
    {"--frame", "--check", "which writes no file"},
    {"--restore", "--check", "which writes no file"},
    {"--no-build", "--check", "which writes no file"},
    {"--no-build", "--frame", "which leaves nothing to check"},
    {"--python", "--no-python", "which runs no Python"},
    {"--trace", "--no-python", "which runs no Python"},
    {"--python", "--reference", runs_no_twin},
    {"--twins", "--reference", runs_no_twin},
    {"--record", "--reference", runs_no_twin},
    {"--trace", "--reference", runs_no_twin},
    {"--keep-going", "--reference", runs_no_twin},
    {"--no-keep-going", "--reference", runs_no_twin},
};

bool is_document(const Options& options) {
  return options.format == Format::ipynb || options.format == Format::markdown;
}

Decisive decisive(const Options& options) {
  if (options.action == Action::list) return {outlines, "--list", "which runs no cell"};
  const auto format = fmt::format("--format {}", option_word(options.format));
  if (options.format == Format::json) return {json, format, "which is for programs"};
  if (options.format == Format::html) return {json, format, "which has colours of its own"};
  if (is_document(options) && options.action == Action::run)
    return {documents, format, "which holds the whole run"};
  if (options.quiet) return {summary, "--quiet", "which shows only failures and the summary"};
  const bool flag = options.given.contains("--check");
  if (options.action == Action::check) {
    return {verdicts, flag ? "--check" : "the command check", "which shows verdicts and no transcript"};
  }
  if (options.action == Action::compare) {
    return {verdicts, "the command compare", "which shows verdicts and no transcript"};
  }
  return {transcripts, "the command run", "which shows transcripts"};
}

[[noreturn]] void refuse(std::string_view option, std::string_view beside, std::string_view which) {
  throw UsageError(fmt::format("{} does nothing with {}, {}", option, beside, which));
}

void refuse_one_place_for_two(const Options& options) {
  if (options.junit == "-" && options.output.empty()) {
    throw UsageError("--junit - needs stdout for itself; send the other report to a file with --output FILE");
  }
  if (options.golden == "-" && options.step) {
    throw UsageError("--golden - reads stdin, from which --step reads keys; give --golden a file");
  }
}

}  // namespace

void refuse_conflicts(const Options& options) {
  const auto given = [&](std::string_view option) { return options.given.contains(std::string(option)); };
  const Decisive report = decisive(options);
  if (is_document(options) && report.shown != documents) {
    refuse(fmt::format("--format {}", option_word(options.format)), report.by, report.which);
  }
  for (const auto& [option, on] : table) {
    const bool acts = (on & report.shown) != 0 || options.action == Action::import;  // it makes no report
    if (given(option) && !acts) refuse(option, report.by, report.which);
  }
  for (const auto& [option, beside, which] : pairs) {
    if (given(option) && given(beside)) refuse(option, beside, which);
  }
  if (given("--timeout") && given("--reference") && given("--once")) {
    refuse("--timeout", "--reference and --once", "which run no twin and try no settings");
  }
  refuse_one_place_for_two(options);
}

}  // namespace torchbook::cli
