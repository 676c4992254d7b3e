#include <torchbook/trace/fingerprint.h>
#include <torchbook/trace/run_text.h>

#include <nlohmann/json.hpp>

namespace torchbook::trace {

std::string run_text(const std::string& language, const std::string& compiler) {
  const auto here = fingerprint();
  const nlohmann::ordered_json run = {{"language", language},
                                      {"recorder", "callbacks"},
                                      {"libtorch", here.torch.substr(here.torch.find(' ') + 1)},
                                      {"build", here.build},
                                      {"capability", here.cpu_capability},
                                      {"blas", here.blas},
                                      {"threads", here.threads},
                                      {"compiler", compiler.empty() ? here.compiler : compiler}};
  return run.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace torchbook::trace
