#include <torchbook/pyrepr/suffixes.h>
#include <torchbook/runtime/grad_fn.h>

namespace torchbook {

std::string name_of_node(const std::string& node) {
  const auto custom = pyrepr::custom_function_name(node);
  return custom.empty() ? node : "torch.autograd.function." + custom + "Backward";
}

}  // namespace torchbook
