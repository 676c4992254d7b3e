// Names a tensor's autograd node, in a file of its own because the node's header is slow to compile.
#include <torch/csrc/autograd/function.h>
#include <torchbook/pyrepr/suffixes.h>

namespace torchbook::pyrepr::inline v1 {

std::string grad_fn_name(const at::Tensor& tensor) {
  const auto& node = tensor.grad_fn();
  if (!node) return {};
  const std::string name = node->name();
  const auto scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

}  // namespace torchbook::pyrepr::inline v1
