// Tells programs where two traces part.
#pragma once

#include <torchbook/report/parting.h>

#include <string>

namespace torchbook::report {

/// Returns `{"here", "there", "pairs", "differing", "differences": [ … ], "without_effect"}`, as docs/json.md
/// describes it.
std::string parting_json(const Parting& parting);

}  // namespace torchbook::report
