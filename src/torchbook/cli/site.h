// Implements `torchbook site`: writes the pages of the teaching companion into a folder.
#pragma once

#include <torchbook/cli/exit.h>
#include <torchbook/cli/options.h>

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace torchbook::cli {

/// Adds the options of the command.
void add_site_options(CLI::App& app, Options& options);

/// The result of writing a site.
struct WrittenSite {
  std::string report;                 ///< the verdicts, and the folder of the site
  ExitCode code = exit_equal;         ///< by the documents and, if there was one, by the live PyTorch
  std::vector<std::string> errors{};  ///< lines on what threw and on notebooks that could not be judged
};

/// Runs and judges the notebooks, and writes their pages. Throws UsageError if the folder cannot be written,
/// or if no Python can run the twins and the user named one or asked for traces.
WrittenSite write_site(const Options& options);

}  // namespace torchbook::cli
