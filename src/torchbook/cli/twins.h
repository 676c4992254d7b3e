// The twins that `torchbook compare` runs, read from their files and checked.
#pragma once

#include <torchbook/notebook/cells/twin.h>
#include <torchbook/notebook/ported_notebook.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::cli {

/// A text and the name that messages give it.
struct NamedText {
  std::string name;
  std::string text;
};

/// What a notebook has one file of: `FOLDER/SLUG.SUFFIX`, or what is built in, if the folder is empty or
/// `built-in`. Throws UsageError, which names the file or says that the notebook has no `what`.
NamedText file_of(const notebook::PortedNotebook& notebook, std::string_view built_in,
                  const std::string& folder, std::string_view suffix, std::string_view what);

/// A twin, ready to run.
struct Twin {
  std::string file;  ///< its name in messages
  std::vector<notebook::TwinCell> cells;
};

/// Reads the twin of a notebook from the folder, or the one built in. Throws UsageError, which names file and
/// line, if it cannot be read or has other cells than the notebook.
Twin twin_of(const notebook::PortedNotebook& notebook, const notebook::Transcript& outline,
             const std::string& folder);

}  // namespace torchbook::cli
