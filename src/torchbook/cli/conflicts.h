// Refuses options that would do nothing together.
#pragma once

#include <torchbook/cli/options.h>

namespace torchbook::cli {

/// Throws UsageError if an option of `options.given` would change nothing, because of another one or of the
/// command. The message names both and says why.
void refuse_conflicts(const Options& options);

}  // namespace torchbook::cli
