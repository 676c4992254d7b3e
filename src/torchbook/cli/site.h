// `torchbook site`: the pages of the teaching companion, written into a folder.
#pragma once

#include <torchbook/cli/exit.h>
#include <torchbook/cli/options.h>

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace torchbook::cli {

/// Gives the command its options.
void add_site_options(CLI::App& app, Options& options);

/// What became of a site.
struct WrittenSite {
  std::string report;                 ///< the verdicts, and where the site is
  ExitCode code = exit_equal;         ///< by the document, and by the live PyTorch where there is one
  std::vector<std::string> errors{};  ///< what threw, and why a notebook could not be judged, a line each
};

/// Runs and judges the notebooks, and writes their pages. Throws UsageError where the folder cannot be
/// written, or where a Python that was named cannot run the twins.
WrittenSite write_site(const Options& options);

}  // namespace torchbook::cli
