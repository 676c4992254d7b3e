// Why the same operations may give other bits elsewhere.
#pragma once

#include <torchbook/golden/verdict.h>
#include <torchbook/notebook/fingerprint.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// A difference between two fingerprints that bits may depend on.
struct Cause {
  std::string about;  ///< the field of the fingerprint
  std::string text;   ///< what it is on either side
  std::string
      setting{};  ///< `VARIABLE=value`, which makes this side like PyTorch's; empty if no variable does
};

/// Lists how `here` and the fingerprint of a PyTorch differ, as far as bits may depend on it: release, build,
/// CPU capability, BLAS and threads. `best_capability` is that of the processor here: a cause has no setting
/// that this processor could not run.
std::vector<Cause> causes(const notebook::Fingerprint& here, const notebook::Fingerprint& pytorch,
                          std::string_view best_capability);

/// Whether values differ in a cell that does not pass. A different shape, dtype or text alone does not count:
/// no other kernel explains it.
bool values_differ(const JudgedTranscript& judged, Accept accept);

}  // namespace torchbook::golden
