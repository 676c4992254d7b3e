// Reads the bytes of a tensor's elements in row-major order.
#include <ATen/core/LegacyTypeDispatch.h>
#include <c10/core/impl/LocalDispatchKeySet.h>
#include <tools/part/trace/checksum.h>
#include <tools/part/trace/elements.h>
#include <tools/part/trace/writer.h>

#include <cstring>

namespace torchbook::trace {
namespace {

constexpr std::size_t most_permuted = 1 << 16;

/// Hides the trace's own operations from autograd and from the hooks of Python and functorch.
struct OwnOperations {
  at::AutoDispatchBelowADInplaceOrView no_autograd;
  c10::impl::ExcludeDispatchKeyGuard no_python{c10::DispatchKeySet(
      {c10::DispatchKey::Python, c10::DispatchKey::PythonTLSSnapshot,
       c10::DispatchKey::FuncTorchDynamicLayerFrontMode, c10::DispatchKey::FuncTorchDynamicLayerBackMode})};
};

bool is_as_stored(const at::Tensor& tensor) {
  return tensor.device().is_cpu() && !tensor.is_conj() && !tensor.is_neg();
}

at::Tensor in_row_major_order(const at::Tensor& tensor) {
  const OwnOperations guard;
  return tensor.to(at::kCPU).resolve_conj().resolve_neg().contiguous();
}

}  // namespace

std::string_view memory(const at::Tensor& tensor) {
  const auto size = static_cast<std::size_t>(tensor.numel()) * tensor.element_size();
  return size == 0 ? std::string_view() : std::string_view(static_cast<const char*>(tensor.data_ptr()), size);
}

bool has_elements(const at::Tensor& tensor) {
  if (tensor.layout() != at::kStrided || tensor.is_meta() || tensor.is_nested() || tensor.is_quantized())
    return false;
  if (!tensor.has_storage()) return false;
  return tensor.numel() == 0 || tensor.data_ptr() != nullptr;
}

std::uint64_t Elements::hash(const at::Tensor& tensor) {
  if (!is_as_stored(tensor)) return written(memory(in_row_major_order(tensor)));
  if (tensor.is_contiguous()) return written(memory(tensor));
  if (!tensor.is_non_overlapping_and_dense()) return written(memory(in_row_major_order(tensor)));
  Payload key;
  key.add(hash_of(memory(tensor)));
  key.add(tensor.element_size());
  for (const auto size : tensor.sizes()) key.add(size);
  for (const auto stride : tensor.strides()) key.add(stride);
  const auto known = permuted_.find(hash_of(key.bytes()));
  if (known != permuted_.end()) return known->second;
  const auto hash = written(memory(in_row_major_order(tensor)));
  if (permuted_.size() >= most_permuted) permuted_.clear();
  permuted_.emplace(hash_of(key.bytes()), hash);
  return hash;
}

std::uint64_t Elements::written(std::string_view bytes) {
  const auto hash = hash_of(bytes);
  writer_.value(hash, bytes);
  return hash;
}

void fill_uninitialised(const at::Tensor& tensor, std::size_t from) {
  if (!has_elements(tensor) || !tensor.device().is_cpu() || tensor.storage_offset() != 0) return;
  const auto size = tensor.storage().nbytes();
  if (from >= size) return;
  const int byte = tensor.scalar_type() == at::kBool ? 1 : 0xFF;
  std::memset(static_cast<char*>(tensor.data_ptr()) + from, byte, size - from);
}

}  // namespace torchbook::trace
