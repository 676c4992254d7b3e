// The command line, read.
#pragma once

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

/// What `torchbook compare` compares with.
struct CompareOptions {
  std::string python = "/usr/bin/python3";  ///< the Python whose PyTorch runs the twins
  int timeout = 300;                        ///< the seconds that it may take
  std::string twins;                        ///< a folder of other twins; empty: those built in
  std::string reference;                    ///< a folder of recordings, or `built-in`; empty: a live PyTorch
  std::string record;                       ///< a folder for the recordings of the live PyTorch; empty: none
  bool once = false;                        ///< try no settings that would make bits the same
};

/// What `torchbook site` compares its pages with, beside the documents.
struct SiteOptions {
  bool live = true;           ///< a live PyTorch, where there is one
  bool python_named = false;  ///< CompareOptions::python was named: there must be one
};

/// A command line that asks for something to be run.
struct Options {
  Action action = Action::run;
  std::vector<std::string> slugs;  ///< empty: every notebook
  std::vector<std::string> cells;  ///< labels, or `@` and a position; empty: every cell
  std::string golden;              ///< a golden file; empty: the one built in
  std::string format = "text";     ///< `text`, `json`, `ipynb` or `markdown`
  std::string source;              ///< `both`, `cpp`, `python` or `none`; empty: what the format shows
  bool heatmap = false;            ///< draw the tensors of the transcript
  bool step = false;               ///< show it cell by cell, by key
  std::string output;              ///< a file; empty: stdout
  std::string accept = "equal";    ///< the weakest verdict that passes: `equal` or `printed`
  std::string junit;               ///< a file for the junit report; empty: none
  CompareOptions compare;
  SiteOptions site;
  std::string again;  ///< the command, without cells, that does the same for one notebook: `PROGRAM check`
};

/// A command line that is answered by a text, such as `--help`.
struct Answer {
  std::string text;
};

using Request = std::variant<Options, Answer>;

/// Reads the command line of a notebook executable. Throws UsageError.
Request parse_notebook_options(int argc, const char* const* argv, const std::string& slug);

/// Reads the command line of the program `torchbook`. Throws UsageError.
Request parse_torchbook_options(int argc, const char* const* argv);

}  // namespace torchbook::cli
