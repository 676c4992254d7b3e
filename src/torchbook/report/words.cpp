#include <fmt/ranges.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/words.h>

#include <vector>

namespace torchbook::report {

std::string fingerprint_line(const trace::Fingerprint& fingerprint) {
  std::vector<std::string> parts;
  for (const auto* part : {&fingerprint.torch, &fingerprint.cpu_capability, &fingerprint.blas}) {
    if (!part->empty()) parts.push_back(shortened(*part));
  }
  if (fingerprint.threads > 0)
    parts.push_back(counted(static_cast<std::size_t>(fingerprint.threads), "thread"));
  if (!fingerprint.compiler.empty()) parts.push_back(shortened(fingerprint.compiler));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace torchbook::report
