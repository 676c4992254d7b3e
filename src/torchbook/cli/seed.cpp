// Reads what is searched for, searches, and lets LibTorch judge what was found.
#include <fmt/format.h>
#include <torchbook/cli/cleanup.h>
#include <torchbook/cli/exit.h>
#include <torchbook/cli/files.h>
#include <torchbook/cli/seed.h>
#include <torchbook/cli/seed_input.h>
#include <torchbook/cli/seed_search.h>
#include <torchbook/cli/seed_state.h>
#include <torchbook/report/words.h>
#include <torchbook/seeds/known_draws.h>
#include <torchbook/seeds/verify.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>

namespace torchbook::cli {
namespace {

/// A search is refused if more false hits than this are expected.
constexpr double most_false_hits = 0.01;

/// What a text says of the state that is searched for.
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

std::string range_text(std::uint64_t first, std::uint64_t last) {
  return first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
}

/// Says how much the text decides. Throws UsageError if that is too little.
void say_what_is_decided(const Asked& what, const SeedState& state, const std::string& name) {
  const auto bits = seeds::bits_of(what.search.tests);
  const double offsets = state.last_offset - state.first_offset + 1.0;
  const double states = static_cast<double>(state.end - state.begin) * offsets;
  const double false_hits = std::exp2(std::log2(states) - bits);
  const auto known =
      fmt::format("the text says {:.1f} bits of the generator's state, and {} seeds at {}", bits,
                  state.end - state.begin, report::counted(static_cast<std::uint64_t>(offsets), "offset"));
  if (false_hits > most_false_hits) {
    throw UsageError(
        fmt::format("{} would need {:.1f}; more elements, more digits or fewer offsets would decide", known,
                    std::log2(states / most_false_hits)));
  }
  say_on_stderr(fmt::format("{}: {} give {:.1g} false hits", name, known, false_hits));
}

SeedAnswer answer(const Asked& what, const SeedState& state) {
  SeedAnswer result;
  for (const auto& found : state.found) {
    if (!seeds::gives(what.call, found, what.shown)) continue;
    if (!result.report.empty()) result.report += '\n';
    result.report += fmt::format("seed {}, after {} draws: LibTorch gives the tensor from it\n{}", found.seed,
                                 found.offset, seeds::how_to_repeat(what.call, found));
  }
  if (!result.report.empty()) return result;
  return {.report = fmt::format("no seed of {} gives the tensor after {} draws\n",
                                range_text(state.begin, state.end - 1),
                                range_text(state.first_offset, state.last_offset)),
          .code = exit_different};
}

/// Returns the state that the options ask for, or the one of the state file that goes on with it.
SeedState state_to_search(const Options& options) {
  auto state = new_seed_state(options.seed);
  const auto& file = options.seed.state;
  if (file.empty() || !std::filesystem::exists(file)) return state;
  auto kept = read_seed_state(file);
  if (!kept.same_search(state) || kept.begin != state.begin || kept.end != state.end) {
    throw UsageError(fmt::format("{} is the state of another search; name another file", file));
  }
  return kept;
}

SeedAnswer search_and_answer(const Options& options, const std::string& name) {
  auto state = state_to_search(options);
  const auto what = asked(state);
  const auto& file = options.seed.state;
  int signal = 0;
  {
    const Undisturbed until_written;  // who reads that the search begins may interrupt it
    say_what_is_decided(what, state, name);
    signal = search_seeds(what.search, state, name);
    if (!file.empty()) write_seed_state(file, state);
  }
  if (signal != 0) {
    if (!file.empty())
      say_on_stderr(fmt::format("{}: {} has the state; the same command goes on", name, file));
    throw Interrupted{signal};
  }
  return answer(what, state);
}

}  // namespace

void add_seed_options(CLI::App& app, Options& options) {
  auto& chosen = options.seed;
  app.add_option("TEXT", chosen.text, "a file with the printed tensor, or its beginning; - for stdin");
  app.add_option("--call", chosen.call, "the call that drew it, in Python: 'randn(4, 8, 2)'")
      ->type_name("CALL");
  app.add_option("--offsets", chosen.offsets, "how many draws came before: a number or a range")
      ->type_name("A-B")
      ->default_str("0-608");
  app.add_option("--seeds", chosen.seeds, "the seeds to search; without it, all 2^32")->type_name("A-B");
  app.add_option("--shard", chosen.shard, "search only part I of N parts of the seeds")->type_name("I/N");
  app.add_option("--state", chosen.state, "keep in FILE how far the search is, and go on from there")
      ->type_name("FILE");
  app.add_option("--join", chosen.join, "answer from the state files of all parts")
      ->type_name("FILE")
      ->expected(1, -1);
  app.add_option("--notebook", chosen.notebook, "take text and call from a notebook (.ipynb, or printed)")
      ->type_name("NOTEBOOK");
  app.add_option("--cell", chosen.cell, "the label of the notebook's cell that shows the tensor")
      ->type_name("LABEL");
}

SeedAnswer search_seed(const Options& options, const std::string& name) {
  try {
    if (options.seed.join.empty()) return search_and_answer(options, name);
    const auto state = joined_seed_states(options.seed.join);
    return answer(asked(state), state);
  } catch (const seeds::SeedError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace torchbook::cli
