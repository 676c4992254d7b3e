// Writes its fields.
#include <torchbook/report/fingerprint_json.h>

#include <nlohmann/json.hpp>

namespace torchbook {

nlohmann::ordered_json fingerprint_json(const Fingerprint& fingerprint) {
  return {{"torch", fingerprint.torch},
          {"build", fingerprint.build},
          {"cpu_capability", fingerprint.cpu_capability},
          {"blas", fingerprint.blas},
          {"threads", fingerprint.threads},
          {"compiler", fingerprint.compiler}};
}

}  // namespace torchbook
