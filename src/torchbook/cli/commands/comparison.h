// Compares the ports under this LibTorch with their twins under a PyTorch.
#pragma once

#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/selection.h>
#include <torchbook/golden/judge.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::cli {

/// The recordings that the build embedded, as Comparison::reference.
inline constexpr std::string_view built_in = "built-in";

/// How ports and twins are compared.
struct Comparison {
  PythonOptions python{};    ///< that runs the twins
  std::string reference{};   ///< a folder of recordings, or `built_in`; empty: a live PyTorch runs the twins
  std::string exceptions{};  ///< a file of exceptions; mostly empty
  bool keep_going = true;    ///< whether a twin goes on after a cell that raised
  std::string record{};      ///< a folder for the live PyTorch's recordings; empty: they are not kept
  bool trace = false;        ///< whether to find the operations at which cells part
  bool for_pages = false;    ///< whether the runs also record what cells computed on the way
};

/// Runs the notebooks and judges them by their twins. All twins run in one Python, at the same time as the
/// ports. If the options say so, recordings replace the twins. A notebook whose twin or recording is missing
/// or broken is not judged, and its `failure` says why. Throws UsageError if there is no PyTorch, or if it
/// returns no recording at all.
std::vector<golden::JudgedTranscript> compare(const std::vector<SelectedNotebook>& notebooks,
                                              const Comparison& how);

}  // namespace torchbook::cli
