// A fingerprint as JSON, the same wherever a report carries one.
#pragma once

#include <torchbook/notebook/fingerprint.h>

#include <nlohmann/json_fwd.hpp>

namespace torchbook::report {

/// `{"torch", "build", "cpu_capability", "blas", "threads", "compiler"}`, as docs/json.md describes it.
nlohmann::ordered_json fingerprint_json(const notebook::Fingerprint& fingerprint);

}  // namespace torchbook::report
