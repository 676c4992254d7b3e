// Finds out why the same operations may give different bits on two machines.
#pragma once

#include <torchbook/golden/judge.h>
#include <torchbook/notebook/fingerprint.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// A difference between two fingerprints that bits may depend on.
struct Cause {
  std::string about;  ///< the name of the field of the fingerprint
  std::string text;   ///< what either side has
  std::string
      setting{};  ///< `VARIABLE=value`, which makes this side like PyTorch's; empty if no variable does
};

/// Returns the differences between the fingerprints `here` and `pytorch` that may change bits:
/// release, build, CPU capability, oneDNN, BLAS and threads. `best_capability` is the best CPU capability
/// of this processor. A cause has a setting only if this processor can run it. The texts call the other side
/// `other`.
std::vector<Cause> causes(const notebook::Fingerprint& here, const notebook::Fingerprint& pytorch,
                          std::string_view best_capability, std::string_view other = "in PyTorch");

/// Returns whether values differ in a cell that does not pass. A cell counts only if its numbers
/// can be compared: another kernel cannot explain a different shape, dtype or text.
bool values_differ(const JudgedTranscript& judged, Accept accept);

}  // namespace torchbook::golden
