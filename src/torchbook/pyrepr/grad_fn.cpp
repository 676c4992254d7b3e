// Names a tensor's autograd node, in a file of its own because the node's header is slow to compile.
#include <torch/csrc/autograd/function.h>
#include <torchbook/pyrepr/suffixes.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace torchbook::pyrepr::inline v1 {
namespace {

thread_local bool numbers_are_tensors = false;

/// Maps the node name of a tensor-and-number operator to that of its tensor-and-tensor overload.
std::string of_tensors(const std::string& name) {
  static const std::map<std::string_view, std::string_view> names = {{"AddBackward1", "AddBackward0"},
                                                                     {"SubBackward1", "SubBackward0"},
                                                                     {"MulBackward1", "MulBackward0"},
                                                                     {"DivBackward1", "DivBackward0"},
                                                                     {"DivBackward3", "DivBackward2"}};
  const auto found = names.find(name);
  return found == names.end() ? name : std::string(found->second);
}

}  // namespace

std::string custom_function_name(const std::string& node) {
  if (!node.starts_with("torch::autograd::CppNode<")) return {};
  const auto begin = std::max(node.rfind("::") + 2, node.find('<') + 1);
  return node.substr(begin, node.size() - 1 - begin);
}

PythonOperators::PythonOperators() : before_(std::exchange(numbers_are_tensors, true)) {}

PythonOperators::~PythonOperators() { numbers_are_tensors = before_; }

std::string grad_fn_name(const at::Tensor& tensor) {
  const auto& node = tensor.grad_fn();
  if (!node) return {};
  const std::string name = node->name();
  if (const auto custom = custom_function_name(name); !custom.empty()) return custom + "Backward";
  const auto scope = name.rfind("::");
  const auto plain = scope == std::string::npos ? name : name.substr(scope + 2);
  return numbers_are_tensors ? of_tensors(plain) : plain;
}

}  // namespace torchbook::pyrepr::inline v1
