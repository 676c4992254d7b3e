// Writes a fingerprint as JSON, the same in every report.
#pragma once

#include <torchbook/trace/fingerprint.h>

#include <nlohmann/json_fwd.hpp>

namespace torchbook::report {

/// Returns `{"torch", "build", "cpu_capability", "blas", "threads", "compiler"}`, as docs/json.md describes
/// it.
nlohmann::ordered_json fingerprint_json(const trace::Fingerprint& fingerprint);

}  // namespace torchbook::report
