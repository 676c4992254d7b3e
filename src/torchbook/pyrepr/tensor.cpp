// Composes the text of a tensor of any kind: prefix, contents, suffixes.
#include <ATen/core/grad_mode.h>
#include <torchbook/pyrepr/elements.h>
#include <torchbook/pyrepr/observer.h>
#include <torchbook/pyrepr/return_type.h>
#include <torchbook/pyrepr/suffixes.h>
#include <torchbook/pyrepr/tensor.h>
#include <torchbook/pyrepr/torch_values.h>

#include <initializer_list>
#include <string_view>

namespace torchbook::pyrepr::inline v1 {
namespace {

/// One of the tensors that a sparse tensor is made of.
struct Part {
  std::string_view name;
  at::Tensor tensor;
};

/// Appends `indices=tensor(…),` and so on, each part on a line of its own.
void append_parts(std::string& out, std::initializer_list<Part> parts, std::size_t indent, bool meta,
                  const PrintOptions& options) {
  bool first = true;
  for (const auto& [name, part] : parts) {
    if (!first) out += ",\n" + std::string(indent, ' ');
    first = false;
    const std::string prefix = std::string(name) + "=tensor(";
    out += prefix;
    if (meta) {
      out += "...";
    } else {
      append_elements(out, part.detach(), indent + prefix.size(), options);
    }
    if (meta || part.numel() == 0) out += ", size=" + pyrepr::repr(tuple(part.sizes()));
    out += ')';
  }
}

/// Appends each tensor on lines of its own, indented by two columns. Python unbinds them without gradients.
void append_nested(std::string& out, const at::Tensor& tensor, const PrintOptions& options) {
  const at::NoGradGuard no_grad;
  out += "[\n";
  bool first = true;
  for (const at::Tensor& part : tensor.unbind(0)) {
    if (!first) out += ",\n";
    first = false;
    out += "  ";
    for (const char c : repr(part, options)) {
      out += c;
      if (c == '\n') out += "  ";
    }
  }
  out += "\n]";
}

/// Appends the contents of a tensor, the text between `tensor(` and the suffixes: its elements, or its
/// indices and values if it is sparse, or `...` if it has no data. `indent` is the length of the prefix in
/// front of them.
void append_contents(std::string& out, const at::Tensor& tensor, std::size_t indent,
                     const PrintOptions& options) {
  const at::Layout layout = tensor.layout();
  const auto append = [&](std::initializer_list<Part> parts) {
    append_parts(out, parts, indent, tensor.is_meta(), options);
  };
  if (tensor.is_sparse()) {
    append({{"indices", tensor._indices()}, {"values", tensor._values()}});
  } else if (layout == at::kSparseCsr || layout == at::kSparseBsr) {
    append({{"crow_indices", tensor.crow_indices()},
            {"col_indices", tensor.col_indices()},
            {"values", tensor.values()}});
  } else if (layout == at::kSparseCsc || layout == at::kSparseBsc) {
    append({{"ccol_indices", tensor.ccol_indices()},
            {"row_indices", tensor.row_indices()},
            {"values", tensor.values()}});
  } else if (tensor.is_quantized()) {
    append_elements(out, tensor.dequantize(), indent, options);
  } else if (tensor.is_nested()) {
    append_nested(out, tensor, options);
  } else if (tensor.is_meta()) {
    out += "...";
  } else if (layout != at::kStrided) {
    append_elements(out, tensor.to_dense(), indent, options);
  } else {
    append_elements(out, tensor, indent, options);
  }
}

}  // namespace

std::string repr(const at::Tensor& tensor, const PrintOptions& options) {
  if (!tensor.defined()) return "None";
  checked(options);
  const Observed observed(tensor);
  const std::string_view prefix = tensor.is_nested() ? "nested_tensor(" : "tensor(";
  std::string text(prefix);
  append_contents(text, tensor, prefix.size(), options);
  append_suffixes(text, tensor, prefix.size(), options);
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

// Follows torch/csrc/utils/structseq.cpp.
std::string Printer<ReturnType>::repr(const ReturnType& result) {
  std::string text = "torch.return_types." + result.function + "(";
  for (const auto& [name, tensor] : result.fields) {
    text += (text.ends_with('(') ? "\n" : ",\n") + name + "=" + pyrepr::repr(tensor);
  }
  return text + ")";
}

}  // namespace torchbook::pyrepr::inline v1
