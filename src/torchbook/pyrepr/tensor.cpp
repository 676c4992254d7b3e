// Composes the text of a tensor of any kind: prefix, contents, suffixes.
#include <ATen/core/grad_mode.h>
#include <ATen/functorch/BatchedTensorImpl.h>
#include <ATen/functorch/TensorWrapper.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <torchbook/pyrepr/elements.h>
#include <torchbook/pyrepr/observer.h>
#include <torchbook/pyrepr/release.h>
#include <torchbook/pyrepr/return_type.h>
#include <torchbook/pyrepr/suffixes.h>
#include <torchbook/pyrepr/tensor.h>
#include <torchbook/pyrepr/torch_values.h>

#include <exception>
#include <initializer_list>
#include <optional>
#include <string_view>

// Declared in ATen/FunctionalTensorWrapper.h, which clang 14 cannot read.
namespace at::functionalization::impl {
TORCH_API Tensor from_functional_tensor(const Tensor& tensor, bool assert_functional);
}

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
  const bool dots = meta && release::meta_parts_are_dots;
  for (const auto& [name, part] : parts) {
    if (!first) out += ",\n" + std::string(indent, ' ');
    first = false;
    const std::string prefix = std::string(name) + "=tensor(";
    out += prefix;
    if (dots) {
      out += "...";
    } else {
      append_elements(out, part.detach(), indent + prefix.size(), options);
    }
    if (dots || part.numel() == 0) out += ", size=" + pyrepr::repr(tuple(part.sizes()));
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

/// Returns a text with each line that is not empty indented, as Python's textwrap.indent does.
std::string indented(const std::string& text, std::string_view indent) {
  std::string out;
  bool at_start = true;
  for (const char c : text) {
    if (at_start && c != '\n') out += indent;
    at_start = c == '\n';
    out += c;
  }
  return out;
}

/// Returns the text of a tensor of torch.func: one that vmap batches, or one whose gradient grad computes.
/// Otherwise returns nothing.
std::optional<std::string> wrapper_repr(const at::Tensor& tensor, const PrintOptions& options) {
  const auto text = [&](const std::string& start, const at::Tensor& value) {
    return start + ", value=\n" + indented(repr(value, options), "    ") + "\n)";
  };
  if (const auto* batched = at::functorch::maybeGetBatchedImpl(tensor)) {
    return text(
        "BatchedTensor(lvl=" + std::to_string(batched->level()) + ", bdim=" + std::to_string(batched->bdim()),
        batched->value());
  }
  if (const auto* tracked = at::functorch::maybeGetTensorWrapper(tensor)) {
    const std::int64_t dead = -2;
    return text("GradTrackingTensor(lvl=" + std::to_string(tracked->level().value_or(dead)),
                tracked->value());
  }
  return std::nullopt;
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
    append_elements(out, is_per_tensor(tensor.qscheme()) ? tensor : tensor.dequantize(), indent, options);
  } else if (tensor.is_nested()) {
    append_nested(out, tensor, options);
  } else if (is_functional(tensor)) {
    out += repr(at::functionalization::impl::from_functional_tensor(tensor, true), options);
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
  const detail::Observed observed(tensor);
  // Inside of torch.func's grad, what reads the tensor would be recorded and return wrappers.
  const c10::impl::ExcludeDispatchKeyGuard unrecorded(c10::DispatchKeySet(
      {at::DispatchKey::FuncTorchDynamicLayerFrontMode, at::DispatchKey::FuncTorchDynamicLayerBackMode}));
  if (auto wrapper = wrapper_repr(tensor, options)) return *std::move(wrapper);
  const std::string_view prefix = tensor.is_nested() ? "nested_tensor(" : "tensor(";
  std::string text(is_functional(tensor) ? "_to_functional_tensor(" : prefix);
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

// Weak, as is all that has no version in its name. No code calls it, so it must be marked as used.
extern "C" [[gnu::used, gnu::weak]] const char* torchbook_repr(const at::Tensor* tensor) noexcept {
  thread_local std::string text;
  try {
    text = torchbook::pyrepr::repr(*tensor);
  } catch (const std::exception& error) {
    text = error.what();
    text = "<" + text.substr(0, text.find('\n')) + ">";
  }
  return text.c_str();
}
