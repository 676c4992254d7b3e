// Copies the bits of tensors.
#include <torchbook/notebook/recording.h>
#include <torchbook/pyrepr/dtype.h>

namespace torchbook::notebook {

void record(std::vector<RecordedTensor>& tensors, const at::Tensor& tensor) {
  if (!tensor.defined() || tensor.is_nested() || tensor.layout() != at::kStrided) return;
  if (tensor.is_quantized() || tensor.is_meta()) return;
  const at::Tensor plain = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous();
  tensors.push_back({.dtype = pyrepr::dtype_name(plain.scalar_type()),
                     .shape = plain.sizes().vec(),
                     .bytes = std::string(static_cast<const char*>(plain.data_ptr()), plain.nbytes())});
}

}  // namespace torchbook::notebook
