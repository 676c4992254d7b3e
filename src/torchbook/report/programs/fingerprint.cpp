// Writes the fields of a fingerprint.
#include <torchbook/report/programs/fingerprint.h>

#include <nlohmann/json.hpp>

namespace torchbook::report {

nlohmann::ordered_json fingerprint_json(const trace::Fingerprint& fingerprint) {
  return {{"torch", fingerprint.torch},
          {"build", fingerprint.build},
          {"cpu_capability", fingerprint.cpu_capability},
          {"blas", fingerprint.blas},
          {"threads", fingerprint.threads},
          {"compiler", fingerprint.compiler}};
}

}  // namespace torchbook::report
