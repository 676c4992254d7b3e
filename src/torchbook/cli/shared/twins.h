// Reads twins, and runs them in a Python with PyTorch.
#pragma once

#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/system/child.h>
#include <torchbook/golden/recording.h>
#include <torchbook/notebook/cells/twin.h>
#include <torchbook/notebook/ported_notebook.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::cli {

/// The limit on the size of a trace. A longer run is recorded up to this limit.
inline constexpr std::size_t most_bytes_of_a_trace = std::size_t{256} << 20;

/// A twin that is ready to run.
struct Twin {
  std::string file;  ///< the name of its file in messages
  std::vector<notebook::TwinCell> cells;
  std::string trace{};        ///< the file that gets the trace of its run; empty: none
  bool tells_shapes = false;  ///< whether its run reports the shapes of the tensors that it assigns
  std::string folder{};       ///< where it runs, and finds modules of its own; empty: where torchbook runs
  /// The files that get what its cells leave in their names (tools/import/command/carry.py); empty: none.
  std::string carried_values{}, carried_types{};
};

/// Returns the twin of a notebook: `FOLDER/SLUG.py`, or the built-in one if `folder` is empty. If
/// there is no twin, or if its cells differ from the notebook's, throws UsageError with file and
/// line.
Twin twin_of(const notebook::PortedNotebook& notebook, const std::string& folder);

/// What a Python returned for the twins.
struct Answers {
  /// The recordings by slug, as texts for parse_recording().
  std::map<std::string, std::string> recordings{};
  std::string why_not_all{};  ///< why some twins have no recording; empty if all have one
  std::string untraced{};     ///< why no twin has a trace; empty if those that were to have one have one
};

/// Reads the answer of run_twins.py, which has a line for each twin. An incomplete last line is
/// ignored, because the Python was stopped while it wrote it. Throws UsageError, which names `python`,
/// if it has no PyTorch or answered something else.
Answers answers_in(std::string_view answer, const std::string& python);

/// A Python that is running twins.
class RunningTwins {
 public:
  /// Starts `python` with the twins, which are given by slug. If `keep_going`, a twin's cells run even after
  /// one that raised. wait() gives the Python `seconds`. `carry` is the Python that writes what cells leave
  /// in their names, if a twin has files for it. Throws UsageError if `python` cannot be started.
  RunningTwins(const std::string& python, const std::map<std::string, Twin>& twins, bool keep_going,
               int seconds, std::string_view carry = {});

  /// Waits until Python ends, and returns the recordings that it has written by then. After a
  /// timeout, the recordings of the unfinished twins say which cell did not end. Throws UsageError
  /// if Python has no PyTorch, or dies or times out before it has imported it, or if its answer is
  /// invalid.
  Answers wait();

 private:
  std::string python_;
  int seconds_;
  Child child_;
};

/// Runs a twin under PyTorch and returns its recording. A cell that raises does not end the run.
/// Throws UsageError if there is no PyTorch, or no answer in time.
golden::Recording run_twin(const std::string& slug, const Twin& twin, const PythonOptions& python,
                           std::string_view carry = {});

}  // namespace torchbook::cli
