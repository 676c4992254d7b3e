// Composes the text of a tensor of any kind: prefix, contents, suffixes.
#include <torchbook/pyrepr/contents.h>
#include <torchbook/pyrepr/observer.h>
#include <torchbook/pyrepr/suffixes.h>
#include <torchbook/pyrepr/tensor.h>

#include <stdexcept>
#include <string_view>

namespace torchbook::pyrepr {

std::string repr(const at::Tensor& tensor, const PrintOptions& options) {
  if (!tensor.defined()) throw std::invalid_argument("cannot print an undefined tensor");
  const Observed observed(tensor);
  const std::string_view prefix = tensor.is_nested() ? "nested_tensor(" : "tensor(";
  std::string text(prefix);
  append_contents(text, tensor, prefix.size(), options);
  append_suffixes(text, suffixes_of(tensor, options), {prefix.size(), options.linewidth, tensor.is_sparse()});
  text += ')';
  return text;
}

std::string repr(const at::Tensor& tensor) { return repr(tensor, print_options()); }

std::string repr(const Parameter& parameter) { return "Parameter containing:\n" + repr(parameter.tensor); }

}  // namespace torchbook::pyrepr
