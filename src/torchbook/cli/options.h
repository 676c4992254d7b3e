// Reads the command line.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/report/shown.h>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace CLI {
class App;
}

namespace torchbook::cli {

/// What the program does with its notebooks.
enum class Action {
  run,        ///< shows transcripts
  check,      ///< shows only verdicts
  compare,    ///< shows verdicts of a comparison with PyTorch (`torchbook compare`)
  golden,     ///< makes a golden (`torchbook golden`)
  list,       ///< shows the cells of each notebook
  notebooks,  ///< shows the names of the notebooks (`torchbook list`)
  doctor,     ///< shows what computes here (`torchbook doctor`)
  site,       ///< writes the pages (`torchbook site`)
  create,     ///< writes a new project (`torchbook new`)
  import,     ///< makes the files of a notebook (`torchbook import`)
  part,       ///< compares two traces (`torchbook part`)
  seed,       ///< finds the seed of printed random numbers (`torchbook seed`)
};

/// The form of a report.
enum class Format { text, json, ipynb, markdown, html };

/// When a report for people has colours.
enum class Colour {
  automatic,  ///< on a terminal that is not dumb, unless NO_COLOR is set
  always,
  never,
};

/// What the ports are compared with by `torchbook compare`.
enum class Reference {
  live,      ///< a PyTorch that runs the twins
  built_in,  ///< the recordings that the build embedded
  folder,    ///< recordings in files
};

/// The Python that runs the twins, unless `--python` names another.
inline constexpr const char* default_python = "/usr/bin/python3";

/// How `torchbook compare` compares.
struct CompareOptions {
  std::optional<std::string> python;  ///< the Python whose PyTorch runs the twins, if the user named one
  int timeout = 300;                  ///< how many seconds PyTorch may take
  std::string twins;                  ///< a folder of other twins; empty: the built-in ones
  Reference reference = Reference::live;
  std::string reference_folder;  ///< the folder of Reference::folder
  bool keep_going = true;        ///< whether a twin goes on after a cell that raised
  std::string record;            ///< a folder for the live PyTorch's recordings; empty: they are not kept
  bool trace = false;            ///< whether to find the operations at which cells part
  bool once = false;             ///< if bits differ, name the settings that may help, but try none
};

/// What `torchbook import` reads, and where it writes.
struct ImportOptions {
  std::string notebook;    ///< a file
  std::string slug;        ///< empty: made of the file's name
  std::string into = ".";  ///< a folder
  bool update = false;     ///< whether files that exist may be changed
  bool check = false;      ///< whether to compare the golden, and to write nothing
  bool frame = false;      ///< whether to write no C++ for the cells
  bool run = false;        ///< whether PyTorch runs the notebook
  bool no_build = false;   ///< whether the port is neither built nor checked
  std::string restore;     ///< a cell, and the state of the generator above it; empty: none
};

/// What `torchbook seed` searches for, and where.
struct SeedOptions {
  std::string text;               ///< a file, or `-` for stdin
  std::string call;               ///< in Python; empty: the notebook's
  std::string offsets = "0-608";  ///< how many draws came before
  std::string seeds;              ///< empty: all
  std::string shard;              ///< part of parts; empty: all of them
  std::string state;              ///< a file; empty: none
  std::vector<std::string> join;  ///< state files of parts
  std::string notebook;           ///< a file
  std::string cell;               ///< a label in it
};

/// A command line that asks for something to be run.
struct Options {
  Action action = Action::run;
  std::vector<std::string> slugs;  ///< slugs or their beginnings; empty: every notebook
  std::vector<std::string> cells;  ///< the values of `--cell`; empty: every cell
  std::string golden;              ///< a golden file, or `-` for stdin; empty: the built-in one
  Format format = Format::text;
  std::optional<report::Sources> source;  ///< nullopt: the default of the format
  bool heatmap = false;                   ///< whether to draw the tensors of the transcript
  bool step = false;                      ///< whether to show it cell by cell, by key
  bool quiet = false;                     ///< whether to show only failures and the summary
  bool failed = false;                    ///< whether to show only cells that do not pass
  bool times = false;                     ///< whether to show how long each cell took
  Colour colour = Colour::automatic;
  std::string output;  ///< a file; empty: stdout
  golden::Accept accept = golden::Accept::equal;
  std::string junit;  ///< a file for the JUnit report, or `-` for stdout; empty: none
  CompareOptions compare;
  ImportOptions import;
  SeedOptions seed;
  bool site_without_python = false;  ///< whether `torchbook site` compares with the documents only
  bool from_python = false;          ///< whether the golden is made of what PyTorch gives
  std::string folder;                ///< the folder of `torchbook new`
  std::string here;                  ///< the traces of `torchbook part`: that of C++ …
  std::string there;                 ///< … and that of Python
  std::string again;  ///< the command that does the same for one notebook, without `--cell`: `PROGRAM check`
  std::set<std::string> given{};  ///< the long names of the options on the command line
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

/// The name of the program that belongs to torchbook itself.
inline constexpr const char* torchbook_program = "torchbook";

/// Reads the command line of a program of several notebooks. Throws UsageError.
Request parse_torchbook_options(int argc, const char* const* argv,
                                const std::string& name = torchbook_program);

/// Shows `use` the options and commands of the program torchbook, as its command line is read with them.
void describe_torchbook(const std::function<void(const CLI::App&)>& use);

}  // namespace torchbook::cli
