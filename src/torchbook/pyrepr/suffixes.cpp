// Which suffixes a tensor has, and where their lines break.
#include <c10/core/DefaultDtype.h>
#include <torchbook/pyrepr/release.h>
#include <torchbook/pyrepr/suffixes.h>

#include <algorithm>
#include <cctype>

namespace torchbook::pyrepr {
namespace {

/// `(2, 3)`, `(2,)`, `()`.
std::string tuple_of(at::IntArrayRef sizes) {
  std::string text = "(";
  for (std::size_t i = 0; i < sizes.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(sizes[i]);
  return text + (sizes.size() == 1 ? ",)" : ")");
}

#if __has_include(<ATen/core/NamedTensor.h>)
/// Names of dimensions: `names=('N', None)`. 2.14 no longer has them.
void add_names(std::vector<std::string>& suffixes, const at::Tensor& tensor) {
  if (!tensor.has_names()) return;
  const auto names = tensor.names();
  std::string text = "names=(";
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : ", ";
    text += names[i].isBasic() ? "'" + std::string(names[i].symbol().toUnqualString()) + "'" : "None";
  }
  suffixes.push_back(text + (names.size() == 1 ? ",)" : ")"));
}
#else
void add_names(std::vector<std::string>&, const at::Tensor&) {}
#endif

at::ScalarType default_dtype() { return at::typeMetaToScalarType(c10::get_default_dtype()); }

/// Whether Python leaves the dtype unsaid when the elements show it.
bool is_understood(at::ScalarType type) {
  const bool doubles = default_dtype() == at::kDouble;
  return type == default_dtype() || type == (doubles ? at::kComplexDouble : at::kComplexFloat) ||
         type == at::kLong || type == at::kBool;
}

}  // namespace

std::string dtype_name(at::ScalarType type) {
  switch (type) {
    case at::kByte:
      return "torch.uint8";
    case at::kChar:
      return "torch.int8";
    case at::kShort:
      return "torch.int16";
    case at::kInt:
      return "torch.int32";
    case at::kLong:
      return "torch.int64";
    case at::kHalf:
      return "torch.float16";
    case at::kFloat:
      return "torch.float32";
    case at::kDouble:
      return "torch.float64";
    case at::kComplexHalf:
      return "torch.complex32";
    case at::kComplexFloat:
      return "torch.complex64";
    case at::kComplexDouble:
      return "torch.complex128";
    default: {  // the others are C++'s name in small letters: torch.bfloat16, torch.bool, torch.uint16
      std::string name = at::toString(type);
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
      return "torch." + name;
    }
  }
}

std::vector<std::string> suffixes_of(const at::Tensor& tensor, const PrintOptions& options) {
  std::vector<std::string> suffixes;
  if (!tensor.device().is_cpu()) suffixes.push_back("device='" + tensor.device().str() + "'");
  const bool elements = !tensor.is_meta() && tensor.numel() != 0;
  const bool hidden = elements && options.edgeitems == 0 && !release::edgeitems_zero_shows_all;
  if (tensor.is_meta() || hidden || (!elements && tensor.dim() != 1)) {
    suffixes.push_back("size=" + tuple_of(tensor.sizes()));
  }
  const auto type = tensor.scalar_type();
  if (elements ? !is_understood(type) : type != default_dtype())
    suffixes.push_back("dtype=" + dtype_name(type));
  if (const auto name = grad_fn_name(tensor); !name.empty()) {
    suffixes.push_back("grad_fn=<" + name + ">");
  } else if (tensor.requires_grad()) {
    suffixes.push_back("requires_grad=True");
  }
  add_names(suffixes, tensor);
  return suffixes;
}

void append_suffixes(std::string& text, const std::vector<std::string>& suffixes, std::size_t indent,
                     std::int64_t linewidth) {
  const auto last_break = text.rfind('\n');
  // Python's own count: two more than the last line holds, or, after a break, one.
  std::size_t length = last_break == std::string::npos ? text.size() + 2 : text.size() - last_break + 1;
  for (const auto& suffix : suffixes) {
    if (static_cast<std::int64_t>(length + suffix.size() + 2) > linewidth) {
      text += ",\n" + std::string(indent, ' ') + suffix;
      length = indent + suffix.size();
    } else {
      text += ", " + suffix;
      length += suffix.size() + 2;
    }
  }
}

}  // namespace torchbook::pyrepr
