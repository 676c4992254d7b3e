#include <fmt/ranges.h>
#include <torchbook/notebook/kernels.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/words.h>

#include <vector>

namespace torchbook::report {

std::string fingerprint_line(const notebook::Fingerprint& fingerprint) {
  std::vector<std::string> parts;
  for (const auto* part : {&fingerprint.torch, &fingerprint.cpu_capability, &fingerprint.blas}) {
    if (!part->empty()) parts.push_back(shortened(*part));
  }
  if (fingerprint.threads > 0)
    parts.push_back(counted(static_cast<std::size_t>(fingerprint.threads), "thread"));
  if (!fingerprint.compiler.empty()) parts.push_back(shortened(fingerprint.compiler));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::pair<std::string_view, std::string>> fingerprint_fields(
    const notebook::Fingerprint& fingerprint) {
  std::vector<std::pair<std::string_view, std::string>> fields = {
      {"torch", fingerprint.torch},
      {"build", fingerprint.build},
      {"cpu_capability", fingerprint.cpu_capability},
      {"onednn", std::string(notebook::onednn_name(fingerprint.onednn))},
      {"blas", fingerprint.blas},
      {"threads", std::to_string(fingerprint.threads)},
      {"compiler", fingerprint.compiler},
      {"library", fingerprint.library}};
  std::erase_if(fields, [](const auto& field) {
    return field.second.empty() && (field.first == "onednn" || field.first == "library");
  });
  return fields;
}

}  // namespace torchbook::report
