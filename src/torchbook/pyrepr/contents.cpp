// Writes the contents of each kind of tensor.
#include <ATen/core/grad_mode.h>
#include <torchbook/pyrepr/contents.h>
#include <torchbook/pyrepr/elements.h>
#include <torchbook/pyrepr/tensor.h>

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
    if (meta || part.numel() == 0) out += ", size=" + tuple_of(part.sizes());
    out += ')';
  }
}

/// Returns whether a compressed layout compresses its rows (CSR, BSR) rather than its columns (CSC, BSC).
bool compresses_rows(at::Layout layout) { return layout == at::kSparseCsr || layout == at::kSparseBsr; }

void append_compressed(std::string& out, const at::Tensor& tensor, std::size_t indent,
                       const PrintOptions& options) {
  if (compresses_rows(tensor.layout())) {
    append_parts(out,
                 {{"crow_indices", tensor.crow_indices()},
                  {"col_indices", tensor.col_indices()},
                  {"values", tensor.values()}},
                 indent, tensor.is_meta(), options);
  } else {
    append_parts(out,
                 {{"ccol_indices", tensor.ccol_indices()},
                  {"row_indices", tensor.row_indices()},
                  {"values", tensor.values()}},
                 indent, tensor.is_meta(), options);
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

}  // namespace

bool is_compressed(at::Layout layout) {
  return compresses_rows(layout) || layout == at::kSparseCsc || layout == at::kSparseBsc;
}

std::string tuple_of(at::IntArrayRef sizes) {
  std::string text = "(";
  for (std::size_t i = 0; i < sizes.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(sizes[i]);
  return text + (sizes.size() == 1 ? ",)" : ")");
}

void append_contents(std::string& out, const at::Tensor& tensor, std::size_t indent,
                     const PrintOptions& options) {
  if (tensor.is_sparse()) {
    append_parts(out, {{"indices", tensor._indices()}, {"values", tensor._values()}}, indent,
                 tensor.is_meta(), options);
  } else if (is_compressed(tensor.layout())) {
    append_compressed(out, tensor, indent, options);
  } else if (tensor.is_quantized()) {
    append_elements(out, tensor.dequantize(), indent, options);
  } else if (tensor.is_nested()) {
    append_nested(out, tensor, options);
  } else if (tensor.is_meta()) {
    out += "...";
  } else if (tensor.layout() != at::kStrided) {
    append_elements(out, tensor.to_dense(), indent, options);
  } else {
    append_elements(out, tensor, indent, options);
  }
}

}  // namespace torchbook::pyrepr::inline v1
