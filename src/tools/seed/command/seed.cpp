// `torchbook seed`: reads the tensor, searches the seeds, and checks each hit with LibTorch.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/import/restored_seed.h>
#include <tools/seed/command/seed_input.h>
#include <tools/seed/command/seed_search.h>
#include <tools/seed/known_draws.h>
#include <tools/seed/verify.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/words.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/report/words.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

namespace torchbook::cli {
namespace {

/// The result of a search.
struct SeedAnswer {
  std::string report;
  int code = 0;  ///< exit_equal if LibTorch draws the tensor from a state that was found
};

/// Reports that none of the seeds draws the tensor.
std::string none_found(const SeedInput& input) {
  const auto& [first, count] = input.seeds;
  const auto seeds = count == 1 ? fmt::format("seed {} does not draw", first)
                                : fmt::format("no seed from {} to {} draws", first, first + count - 1);
  const auto draws = input.first_offset == input.last_offset
                         ? report::counted(input.first_offset, "draw")
                         : fmt::format("{} to {} draws", input.first_offset, input.last_offset);
  return fmt::format("{} the tensor after {}\n", seeds, draws);
}

/// Reports how many false hits to expect. Throws UsageError if the text has too few bits to decide.
void say_what_is_decided(const rng::Search& search, const rng::Seeds& seeds, const std::string& name) {
  const double offsets = search.last_offset - search.first_offset + 1.0;
  const double states = static_cast<double>(seeds.count) * offsets;
  const double false_hits = seeds::false_hits(search.tests, states);
  const auto known =
      fmt::format("the text determines {:.1f} bits of the generator's state; a search of {} at {}",
                  seeds::bits_of(search.tests), report::counted(seeds.count, "seed"),
                  report::counted(static_cast<std::uint64_t>(offsets), "offset"));
  if (false_hits > seeds::most_false_hits) {
    throw UsageError(fmt::format("{} needs {:.1f}; more elements, more digits or fewer offsets would decide",
                                 known, std::log2(states / seeds::most_false_hits)));
  }
  say_on_stderr(fmt::format("{}: {} expects {:.1g} false hits", name, known, false_hits));
}

/// Returns the statements, one a line, indented.
std::string indented(const std::vector<std::string>& statements) {
  return fmt::format("    {}\n", fmt::join(statements, "\n    "));
}

/// Returns the C++ and the Python that reproduce the tensor from a state.
std::string how_to_repeat(const seeds::TensorCall& call, importing::RestoredState state) {
  state.cpp.push_back(fmt::format("auto x = {};", seeds::cpp_of(call)));
  state.python.push_back(fmt::format("x = {}", seeds::python_of(call)));
  return fmt::format("C++\n{}Python\n{}", indented(state.cpp), indented(state.python));
}

/// Returns the statements that restore the state in a port and its twin.
std::string how_to_restore(const std::string& notebook, const std::string& cell, const rng::State& state) {
  const auto restored = importing::restored_seed(state.seed, state.offset);
  return fmt::format(
      "Restored state above cell {0}, in the port\n    nb.restored(\"{1}\");\n{2}"
      "and in the twin\n    # %% [restored] {1}\n{3}"
      "torchbook import {4} --restore {0}={5},{6} writes both, with --update into files that exist\n",
      cell, restored.why, indented(restored.cpp), indented(restored.python), shell_quoted(notebook),
      state.seed, state.offset);
}

/// Searches as the options say. Progress goes to stderr. Throws UsageError, also if the text has too few bits
/// to decide.
SeedAnswer search_seed(const SeedOptions& options, const std::string& name) {
  const auto input = read_seed_input(options);
  const auto shown = seeds::read_shown(input.text, input.call);
  const rng::Search search{seeds::tests_of(input.call, shown), input.first_offset, input.last_offset};
  say_what_is_decided(search, input.seeds, name);
  auto found = search_seeds(search, input.seeds, name);
  std::erase_if(found, [&](const rng::State& state) { return !seeds::reproduces(input.call, state, shown); });
  if (found.empty()) return {.report = none_found(input), .code = exit_different};
  SeedAnswer answer;
  for (const auto& state : found) {
    if (!answer.report.empty()) answer.report += '\n';
    answer.report +=
        fmt::format("seed {}, after {}: LibTorch draws the tensor from it\n{}", state.seed,
                    report::counted(state.offset, "draw"),
                    how_to_repeat(input.call, importing::restored_seed(state.seed, state.offset)));
  }
  if (!input.restored_above.empty()) {
    answer.report += how_to_restore(options.notebook, input.restored_above, found.front());
  }
  return answer;
}

void add_options(CLI::App& app, SeedOptions& options) {
  app.add_option("TEXT", options.text, "a file with the printed tensor, or its beginning; - for stdin");
  app.add_option("--call", options.call, "the call that drew it, in Python: 'randn(4, 8, 2)'")
      ->type_name("CALL");
  app.add_option("--offsets", options.offsets,
                 fmt::format("how many draws came before: at least A and less than B, which is at most {}",
                             importing::most_draws))
      ->type_name("A:B")
      ->default_str(options.offsets);
  app.add_option("--seeds", options.seeds, "the seeds to search: at least A and less than B; by default all")
      ->type_name("A:B")
      ->default_str(options.seeds);
  app.add_option("--notebook", options.notebook, "take text and call from a notebook (.ipynb, or printed)")
      ->type_name("NOTEBOOK");
  app.add_option("--cell", options.cell, "the label of the notebook's cell that shows the tensor")
      ->type_name("LABEL");
  app.add_option("--python", options.python,
                 "the Python that reads the call and the cells; it needs no PyTorch")
      ->type_name("PATH")
      ->default_str(options.python);
  exclude(app, "--notebook", {"TEXT"});
  app.get_option("--cell")->needs(app.get_option("--notebook"));
  app.get_option("--notebook")->needs(app.get_option("--cell"));
}

}  // namespace

void add_seed(CLI::App& app, const Program& program, Work& work) {
  auto options = std::make_shared<SeedOptions>();
  auto& command =
      add_command(app, "seed", "find the seed of printed random numbers",
                  "Exit codes: 0 LibTorch draws the tensor from the seed that was found, 1 no seed\n"
                  "draws it, 2 wrong usage, missing or broken input, a search that cannot decide,\n"
                  "or unwritable output.");
  add_options(command, *options);
  command.callback([options, &program, &work] {
    work = [options, &program] {
      try {
        const auto answer = search_seed(*options, program.name);
        write_stdout(answer.report);
        return answer.code;
      } catch (const seeds::SeedError& error) {
        throw UsageError(error.what());
      }
    };
  });
}

}  // namespace torchbook::cli
