// Implements `torchbook seed`: finds the state of the generator behind printed random numbers.
#pragma once

#include <torchbook/cli/options.h>

#include <string>

namespace CLI {
class App;
}

namespace torchbook::cli {

/// Adds the options of the command.
void add_seed_options(CLI::App& app, Options& options);

/// What a search has found.
struct SeedAnswer {
  std::string report;
  int code = 0;  ///< exit_equal if LibTorch gives the tensor from a state that was found
};

/// Searches as the options say, or joins state files. Progress goes to stderr, each line after `name`. Throws
/// UsageError, also if the search cannot decide, and Interrupted after the state file is written.
SeedAnswer search_seed(const Options& options, const std::string& name);

}  // namespace torchbook::cli
