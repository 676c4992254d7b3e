// Composes the text of a tensor of any kind: prefix, contents, suffixes.
#include <torchbook/pyrepr/contents.h>
#include <torchbook/pyrepr/observer.h>
#include <torchbook/pyrepr/suffixes.h>
#include <torchbook/pyrepr/tensor.h>

#include <string_view>

namespace torchbook::pyrepr::inline v1 {

std::string repr(const at::Tensor& tensor, const PrintOptions& options) {
  if (!tensor.defined()) return "None";
  checked(options);
  const Observed observed(tensor);
  const std::string_view prefix = tensor.is_nested() ? "nested_tensor(" : "tensor(";
  std::string text(prefix);
  append_contents(text, tensor, prefix.size(), options);
  append_suffixes(text, suffixes_of(tensor, options), {prefix.size(), options.linewidth, tensor.is_sparse()});
  text += ')';
  return text;
}

std::string Printer<at::Tensor>::repr(const at::Tensor& tensor) {
  return pyrepr::repr(tensor, print_options());
}

std::string Printer<Parameter>::repr(const Parameter& parameter) {
  if (!parameter.tensor.defined()) return "None";
  return "Parameter containing:\n" + pyrepr::repr(parameter.tensor);
}

}  // namespace torchbook::pyrepr::inline v1
