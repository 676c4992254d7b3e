// The command line, read.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/report/sources.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace torchbook::cli {

/// What the program is to do with its notebooks.
enum class Action {
  run,        ///< transcripts
  check,      ///< verdicts only
  compare,    ///< verdicts by a PyTorch, `torchbook compare`
  list,       ///< the cells of each notebook
  notebooks,  ///< the notebooks themselves (`torchbook list`)
  doctor,     ///< what computes here (`torchbook doctor`)
  site,       ///< the pages, `torchbook site`
};

/// The form of a report.
enum class Format { text, json, ipynb, markdown };

/// What stands for PyTorch.
enum class Reference {
  live,      ///< a PyTorch that runs the twins
  built_in,  ///< the recordings that the build embedded
  folder,    ///< recordings in files
};

/// The Python that runs the twins, unless `--python` names another.
inline constexpr const char* default_python = "/usr/bin/python3";

/// What `torchbook compare` compares with.
struct CompareOptions {
  std::optional<std::string> python;  ///< the Python whose PyTorch runs the twins, if it was named
  int timeout = 300;                  ///< the seconds that it may take
  std::string twins;                  ///< a folder of other twins; empty: those built in
  Reference reference = Reference::live;
  std::string reference_folder;  ///< of Reference::folder
  bool keep_going = true;        ///< behind a cell of a twin that raised
  std::string record;            ///< a folder for the recordings of the live PyTorch; empty: none
  bool once = false;             ///< name the settings that would make bits the same, but try none
};

/// A command line that asks for something to be run.
struct Options {
  Action action = Action::run;
  std::vector<std::string> slugs;  ///< empty: every notebook
  std::vector<std::string> cells;  ///< labels, or `@` and a position; empty: every cell
  std::string golden;              ///< a golden file; empty: the one built in
  Format format = Format::text;
  std::optional<report::Sources> source;  ///< nullopt: what the format shows
  bool heatmap = false;                   ///< draw the tensors of the transcript
  bool step = false;                      ///< show it cell by cell, by key
  std::string output;                     ///< a file; empty: stdout
  golden::Accept accept = golden::Accept::equal;
  std::string junit;  ///< a file for the junit report; empty: none
  CompareOptions compare;
  bool site_without_python = false;  ///< `torchbook site` compares with the documents only
  std::string again;  ///< the command, without cells, that does the same for one notebook: `PROGRAM check`
};

/// A command line that is answered by a text, such as `--help`.
struct Answer {
  std::string text;
};

/// Returns the sources that the report shows: what `--source` asks for, otherwise what the format shows.
report::Sources shown_sources(const Options& options);

using Request = std::variant<Options, Answer>;

/// Reads the command line of a notebook executable. Throws UsageError.
Request parse_notebook_options(int argc, const char* const* argv, const std::string& slug);

/// Reads the command line of the program `torchbook`. Throws UsageError.
Request parse_torchbook_options(int argc, const char* const* argv);

}  // namespace torchbook::cli
