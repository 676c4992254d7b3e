// Decides which suffixes a tensor has and where their lines break.
#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <torchbook/pyrepr/dtype.h>
#include <torchbook/pyrepr/elements.h>
#include <torchbook/pyrepr/python.h>
#include <torchbook/pyrepr/release.h>
#include <torchbook/pyrepr/suffixes.h>
#include <torchbook/pyrepr/tensor.h>
#include <torchbook/pyrepr/torch_values.h>

#include <cstdint>
#include <vector>

namespace torchbook::pyrepr::inline v1 {
namespace {

using Suffixes = std::vector<std::string>;

at::ScalarType default_dtype() { return c10::typeMetaToScalarType(c10::get_default_dtype()); }

/// Returns whether Python omits a dtype if elements are shown: the default dtype, its complex counterpart,
/// int64 and bool.
bool is_understood(at::ScalarType type) {
  const bool doubles = default_dtype() == at::kDouble;
  return type == default_dtype() || type == (doubles ? at::kComplexDouble : at::kComplexFloat) ||
         type == at::kLong || type == at::kBool;
}

void add_size(Suffixes& suffixes, const at::Tensor& tensor) {
  suffixes.push_back("size=" + pyrepr::repr(tuple(tensor.sizes())));
}

void add_dtype_unless(bool unsaid, Suffixes& suffixes, const at::Tensor& tensor) {
  if (!unsaid) suffixes.push_back("dtype=" + dtype_name(tensor.scalar_type()));
}

void add_sparse(Suffixes& suffixes, const at::Tensor& tensor) {
  add_size(suffixes, tensor);
  if (!tensor.is_meta()) suffixes.push_back("nnz=" + std::to_string(tensor._nnz()));
  add_dtype_unless(is_understood(tensor.scalar_type()), suffixes, tensor);
}

void add_quantized(Suffixes& suffixes, const at::Tensor& tensor, const PrintOptions& options) {
  add_size(suffixes, tensor);
  add_dtype_unless(is_understood(tensor.scalar_type()), suffixes, tensor);
  const at::QScheme scheme = tensor.qscheme();
  suffixes.push_back("quantization_scheme=" + pyrepr::repr(scheme));
  if (is_per_tensor(scheme)) {
    suffixes.push_back("scale=" + detail::repr_float(tensor.q_scale()));
    suffixes.push_back("zero_point=" + std::to_string(tensor.q_zero_point()));
  } else {
    suffixes.push_back("scale=" + repr(tensor.q_per_channel_scales(), options));
    suffixes.push_back("zero_point=" + repr(tensor.q_per_channel_zero_points(), options));
    suffixes.push_back("axis=" + std::to_string(tensor.q_per_channel_axis()));
  }
}

void add_dense(Suffixes& suffixes, const at::Tensor& tensor, const PrintOptions& options) {
  const bool elements = !tensor.is_meta() && tensor.numel() != 0;
  const bool hidden = elements && options.edgeitems == 0 && !release::edgeitems_zero_shows_all;
  if (tensor.is_meta() || hidden || (!elements && tensor.dim() != 1)) add_size(suffixes, tensor);
  const auto type = tensor.scalar_type();
  add_dtype_unless(elements ? is_understood(type) : type == default_dtype(), suffixes, tensor);
}

void add_autograd(Suffixes& suffixes, const at::Tensor& tensor) {
  if (const auto name = grad_fn_name(tensor); !name.empty()) {
    suffixes.push_back("grad_fn=<" + name + ">");
  } else if (tensor.requires_grad()) {
    suffixes.emplace_back("requires_grad=True");
  }
}

#if __has_include(<ATen/core/NamedTensor.h>)
/// Adds the names of dimensions: `names=('N', None)`. PyTorch 2.14 removed them.
void add_names(Suffixes& suffixes, const at::Tensor& tensor) {
  if (tensor.has_names()) suffixes.push_back("names=" + pyrepr::repr(tensor.names()));
}
#else
void add_names(Suffixes&, const at::Tensor&) {}
#endif

/// Adds the tangent of forward-mode autograd. Python prints it in an f-string.
void add_tangent(Suffixes& suffixes, const at::Tensor& tensor, const PrintOptions& options) {
  const at::Tensor& tangent = tensor._fw_grad(/*level=*/0);
  if (!tangent.defined()) return;
  suffixes.push_back("tangent=" + (tangent.dim() == 0 ? format(tangent, "") : repr(tangent, options)));
}

/// Returns the suffixes of a tensor in Python's order, each without its comma: `dtype=torch.float64`.
Suffixes suffixes_of(const at::Tensor& tensor, const PrintOptions& options) {
  Suffixes suffixes;
  if (!tensor.device().is_cpu()) suffixes.push_back("device='" + tensor.device().str() + "'");
  if (tensor.layout() != at::kStrided && tensor.layout() != at::kMkldnn) {
    add_sparse(suffixes, tensor);
  } else if (tensor.is_quantized()) {
    add_quantized(suffixes, tensor, options);
  } else if (!tensor.is_nested() && !is_functional(tensor)) {
    add_dense(suffixes, tensor, options);
  }
  if (tensor.layout() != at::kStrided) suffixes.push_back("layout=" + pyrepr::repr(tensor.layout()));
  add_autograd(suffixes, tensor);
  add_names(suffixes, tensor);
  add_tangent(suffixes, tensor, options);
  return suffixes;
}

}  // namespace

void append_suffixes(std::string& text, const at::Tensor& tensor, std::size_t indent,
                     const PrintOptions& options) {
  const auto last_break = text.rfind('\n');
  // As in Python, the length of the last line of the contents is two columns too large. The length
  // of a line that a suffix starts is exact.
  std::size_t length = last_break == std::string::npos ? text.size() + 2 : text.size() - last_break + 1;
  bool breaks = tensor.is_sparse();  // the first suffix of such a tensor always starts a new line
  for (const auto& suffix : suffixes_of(tensor, options)) {
    if (breaks || static_cast<std::int64_t>(length + suffix.size() + 2) > options.linewidth) {
      text += ",\n" + std::string(indent, ' ') + suffix;
      length = indent + suffix.size();
    } else {
      text += ", " + suffix;
      length += suffix.size() + 2;
    }
    breaks = false;
  }
}

}  // namespace torchbook::pyrepr::inline v1
