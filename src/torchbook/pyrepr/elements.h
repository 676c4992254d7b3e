// Writes the elements of a strided tensor.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>
#include <torchbook/pyrepr/options.h>

#include <cstddef>
#include <string>

namespace torchbook::pyrepr::inline v1 {

/// Appends the elements of a strided tensor with their brackets, `[]` if it has none. `indent` is the number
/// of columns in front of them. Only the elements shown are read, in place. They are copied first if the
/// tensor is on another device, conjugated, negated or quantized per tensor. Throws std::invalid_argument for
/// a dtype that has no text, for a tensor without the memory of its elements, and for options with which
/// PyTorch raises.
void append_elements(std::string& out, const at::Tensor& tensor, std::size_t indent,
                     const PrintOptions& options);

/// Returns what is shown of a tensor, on its device: the two ends of each summarised dimension, side by side.
/// Cutting a quantized tensor dequantizes the ends.
/// With edgeitems 0 it returns the whole tensor, because releases differ in what they show then.
at::Tensor shown_part(const at::Tensor& tensor, const PrintOptions& options);

/// Throws std::invalid_argument for a dtype that has no text.
[[noreturn]] void refuse_dtype(at::ScalarType type);

/// Throws std::invalid_argument if reading the elements would leave the memory of the tensor. The storage of
/// a tensor may be resized, and a tensor that wraps another one has no storage.
void require_memory(const at::Tensor& tensor);

/// Returns a tensor whose memory holds the numbers. Conjugated and negated views hold those of their base,
/// quantized tensors other ones, and autograd's zero tensors none.
at::Tensor plain(const at::Tensor& tensor);

/// Calls `visit(const T*)` with the first element of a plain tensor on the CPU, where T is the C++ type of
/// its dtype. Throws as require_memory() and refuse_dtype() do.
template <class Visit>
void visit_elements(const at::Tensor& tensor, const Visit& visit) {
  require_memory(tensor);
  const void* data = tensor.data_ptr();
  switch (tensor.scalar_type()) {
#define TORCHBOOK_CASE(type, name) \
  case at::ScalarType::name:       \
    return visit(static_cast<const type*>(data));
    AT_FORALL_SCALAR_TYPES_WITH_COMPLEX_AND_QINTS(TORCHBOOK_CASE)
#undef TORCHBOOK_CASE
    default:
      refuse_dtype(tensor.scalar_type());
  }
}

/// Returns whether a quantized tensor has one scale, so that a part of it can be dequantized alone.
inline bool is_per_tensor(at::QScheme scheme) {
  return scheme == at::kPerTensorAffine || scheme == at::kPerTensorSymmetric;
}

/// Appends the elements of a tensor of sizes `whole`. `part`, on the CPU, is either the result of
/// shown_part() or the whole tensor.
void append_elements_of_part(std::string& out, const at::Tensor& part, at::IntArrayRef whole,
                             std::size_t indent, const PrintOptions& options);

}  // namespace torchbook::pyrepr::inline v1
