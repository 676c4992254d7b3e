// `torchbook seed`: reads the tensor, searches the seeds, and checks each hit with LibTorch.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/seed/command/seed_input.h>
#include <tools/seed/command/seed_search.h>
#include <tools/seed/command/seed_state.h>
#include <tools/seed/drawing.h>
#include <tools/seed/known_draws.h>
#include <tools/seed/verify.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/words.h>
#include <torchbook/cli/system/cleanup.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/report/words.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <memory>

namespace torchbook::cli {
namespace {

/// What a search has found.
struct SeedAnswer {
  std::string report;
  int code = 0;  ///< exit_equal if LibTorch gives the tensor from a state that was found
};

/// The call, its printed tensor, and the search for the state that produced it.
struct Asked {
  seeds::TensorCall call;
  seeds::ShownElements shown;
  rng::Search search;
};

Asked asked(const SeedState& state) {
  Asked result{.call = seeds::read_call(state.call), .shown = {}, .search = {}};
  result.shown = seeds::read_shown(state.text, result.call);
  result.search = {.tests = seeds::tests_of(result.call, result.shown),
                   .first_offset = state.first_offset,
                   .last_offset = state.last_offset};
  return result;
}

/// Says that none of the seeds gives the tensor.
std::string none_found(const SeedState& state) {
  const auto seeds = state.end - state.begin == 1
                         ? fmt::format("seed {} does not give", state.begin)
                         : fmt::format("no seed of {} to {} gives", state.begin, state.end - 1);
  const auto draws = state.first_offset == state.last_offset
                         ? report::counted(state.first_offset, "draw")
                         : fmt::format("{} to {} draws", state.first_offset, state.last_offset);
  return fmt::format("{} the tensor after {}\n", seeds, draws);
}

/// Reports how many false hits to expect. Throws UsageError if the text has too few bits to decide.
void say_what_is_decided(const Asked& what, const SeedState& state, const std::string& name) {
  const auto bits = seeds::bits_of(what.search.tests);
  const double offsets = state.last_offset - state.first_offset + 1.0;
  const auto seeds = state.all_end - state.all_begin;
  const double states = static_cast<double>(seeds) * offsets;
  const double false_hits = seeds::false_hits(what.search.tests, states);
  const auto known = fmt::format("the text says {:.1f} bits of the generator's state, and {} at {}", bits,
                                 report::counted(seeds, "seed"),
                                 report::counted(static_cast<std::uint64_t>(offsets), "offset"));
  if (false_hits > seeds::most_false_hits) {
    throw UsageError(
        fmt::format("{} would need {:.1f}; more elements, more digits or fewer offsets would decide", known,
                    std::log2(states / seeds::most_false_hits)));
  }
  say_on_stderr(fmt::format("{}: {} give {:.1g} false hits", name, known, false_hits));
}

/// Throws UsageError if a state file names a state that the search would not have found.
void refuse_wrong_states(const Asked& what, const SeedState& state) {
  for (const auto& found : state.found) {
    if (rng::passes(what.search, found)) continue;
    throw UsageError(
        fmt::format("a state file says that seed {} was found after {}, but its text differs; search again",
                    found.seed, report::counted(found.offset, "draw")));
  }
}

/// Returns the statements, one a line, indented.
std::string indented(const std::vector<std::string>& statements) {
  return fmt::format("    {}\n", fmt::join(statements, "\n    "));
}

/// Returns the C++ and the Python that reproduce the tensor from a state.
std::string how_to_repeat(const seeds::TensorCall& call, const rng::State& state) {
  auto cpp = seeds::cpp_of(state), python = seeds::python_of(state);
  cpp.push_back(fmt::format("auto x = {};", seeds::cpp_of(call)));
  python.push_back(fmt::format("x = {}", seeds::python_of(call)));
  return fmt::format("C++\n{}Python\n{}", indented(cpp), indented(python));
}

/// Returns what restores the state in a port and its twin.
std::string how_to_restore(const std::string& notebook, const std::string& cell, const rng::State& state) {
  const auto restored = restored_seed(state);
  return fmt::format(
      "Restored state above cell {0}, in the port\n    nb.restored(\"{1}\");\n{2}"
      "and in the twin\n    # %% [restored] {1}\n{3}"
      "torchbook import {4} --restore {0}={5},{6} writes both, with --update into files that exist\n",
      cell, restored.why, indented(restored.cpp), indented(restored.python), shell_quoted(notebook),
      state.seed, state.offset);
}

/// Returns the report on the hits. Removes the states from which LibTorch does not give the tensor.
SeedAnswer answer(const Asked& what, SeedState& state) {
  std::erase_if(state.found,
                [&](const rng::State& found) { return !seeds::gives(what.call, found, what.shown); });
  SeedAnswer result;
  for (const auto& found : state.found) {
    if (!result.report.empty()) result.report += '\n';
    result.report += fmt::format("seed {}, after {}: LibTorch gives the tensor from it\n{}", found.seed,
                                 report::counted(found.offset, "draw"), how_to_repeat(what.call, found));
  }
  if (!result.report.empty()) return result;
  return {.report = none_found(state), .code = exit_different};
}

/// Returns the state of a new search, or the one in the state file if it belongs to this search.
SeedState state_to_search(const SeedOptions& options, const SeedState& state) {
  const auto& file = options.state;
  if (file.empty() || !std::filesystem::exists(file)) return state;
  auto kept = read_seed_state(file);
  const std::string differs = kept.part != state.part ? "part" : difference(kept, state);
  if (!differs.empty()) {
    throw UsageError(
        fmt::format("{} is the state of another search: the {} differs; name another file", file, differs));
  }
  return kept;
}

SeedAnswer search_and_answer(const SeedOptions& options, const std::string& name) {
  const auto input = read_seed_input(options);
  auto state = state_to_search(options, input.state);
  const auto what = asked(state);
  refuse_wrong_states(what, state);
  const auto& file = options.state;
  int signal = 0;
  {
    const Undisturbed until_written;  // who reads that the search begins may interrupt it
    say_what_is_decided(what, state, name);
    signal = search_seeds(what.search, state, name, until_written);
    if (!file.empty()) write_seed_state(file, state);
  }
  if (signal != 0) {
    if (!file.empty())
      say_on_stderr(fmt::format("{}: {} has the state; the same command goes on", name, file));
    throw Interrupted{signal};
  }
  auto result = answer(what, state);
  if (result.code == exit_equal && !input.restored_above.empty()) {
    result.report += how_to_restore(options.notebook, input.restored_above, state.found.front());
  }
  return result;
}

void add_options(CLI::App& app, SeedOptions& options) {
  app.add_option("TEXT", options.text, "a file with the printed tensor, or its beginning; - for stdin");
  app.add_option("--call", options.call, "the call that drew it, in Python: 'randn(4, 8, 2)'")
      ->type_name("CALL");
  app.add_option("--offsets", options.offsets,
                 fmt::format("how many draws came before: a number or a range, up to {}", last_offset))
      ->type_name("A-B")
      ->default_str("0-608");
  app.add_option("--seeds", options.seeds, "the seeds to search; without it, all 2^32")->type_name("A-B");
  app.add_option("--shard", options.shard, "search only part I of N parts of the seeds")->type_name("I/N");
  app.add_option("--state", options.state, "keep in FILE how far the search is, and go on from there")
      ->type_name("FILE");
  app.add_option("--join", options.join, "answer from the state files of all parts")
      ->type_name("FILE")
      ->expected(1, -1);
  app.add_option("--notebook", options.notebook, "take text and call from a notebook (.ipynb, or printed)")
      ->type_name("NOTEBOOK");
  app.add_option("--cell", options.cell, "the label of the notebook's cell that shows the tensor")
      ->type_name("LABEL");
  exclude(app, "--join",
          {"TEXT", "--call", "--offsets", "--seeds", "--shard", "--state", "--notebook", "--cell"});
  exclude(app, "--notebook", {"TEXT"});
  app.get_option("--cell")->needs(app.get_option("--notebook"));
  app.get_option("--notebook")->needs(app.get_option("--cell"));
}

/// Searches as the options say, or joins state files. Progress goes to stderr. Throws UsageError,
/// also if the text has too few bits to decide. If a signal ends the search, writes the state file
/// and throws Interrupted.
SeedAnswer search_seed(const SeedOptions& options, const Program& program) {
  try {
    if (options.join.empty()) return search_and_answer(options, program.name);
    auto state = joined_seed_states(options.join);
    const auto what = asked(state);
    refuse_wrong_states(what, state);
    return answer(what, state);
  } catch (const seeds::SeedError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

void add_seed(CLI::App& app, const Program& program, Work& work) {
  auto options = std::make_shared<SeedOptions>();
  auto& command =
      add_command(app, "seed", "find the seed behind printed random numbers",
                  "Exit codes: 0 LibTorch gives the tensor from the seed that was found, 1 no seed\n"
                  "gives it, 2 wrong usage, missing or broken input, a search that cannot decide,\n"
                  "or unwritable output.");
  add_options(command, *options);
  command.callback([options, &program, &work] {
    work = [options, &program] {
      const SeedAnswer answer = search_seed(*options, program);
      write_stdout(answer.report);
      return answer.code;
    };
  });
}

}  // namespace torchbook::cli
