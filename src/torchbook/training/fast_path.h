// What the layers with a fused operation for inference share.
#pragma once

#include <ATen/ATen.h>
#include <c10/util/Optional.h>

#include <cstdint>

namespace torchbook::nn::inline v1::detail {

/// Returns a mask in the form that the operations of this release take. PyTorch 2 adds masks, so a bool mask
/// becomes one of 0 and -inf. Throws c10::Error for other types, with the `name` of the mask.
at::Tensor canonical_mask(const at::Tensor& mask, const char* name, at::ScalarType type);

/// Returns whether Python would run a fused operation with these tensors, which has no gradients. Some may be
/// undefined.
bool fuses(at::ArrayRef<at::Tensor> tensors);

/// The mask of a fused operation, and which one it is: 1 is that of the keys, 2 is (N, num_heads, L, L).
struct FusedMask {
  c10::optional<at::Tensor> mask;
  c10::optional<std::int64_t> type;
};
FusedMask merge_masks(const at::Tensor& attn_mask, const at::Tensor& key_padding_mask,
                      const at::Tensor& query, std::int64_t num_heads);

}  // namespace torchbook::nn::inline v1::detail
