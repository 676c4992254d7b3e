#include <torchbook/pyrepr/return_type.h>
#include <torchbook/pyrepr/tensor.h>

namespace torchbook::pyrepr::inline v1 {

// Follows torch/csrc/utils/structseq.cpp.
std::string Printer<ReturnType>::repr(const ReturnType& result) {
  std::string text = "torch.return_types." + result.function + "(";
  for (const auto& [name, tensor] : result.fields) {
    text += (text.ends_with('(') ? "\n" : ",\n") + name + "=" + pyrepr::repr(tensor);
  }
  return text + ")";
}

}  // namespace torchbook::pyrepr::inline v1
