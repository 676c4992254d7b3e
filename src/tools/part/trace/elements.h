// Reads the bytes of a tensor's elements in row-major order.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace torchbook::trace {

class Writer;

/// Returns whether a tensor is strided, not quantized, and has its elements in memory.
bool has_elements(const at::Tensor& tensor);

/// Returns as many bytes as the elements of a tensor on the CPU have, from its first element on.
std::string_view memory(const at::Tensor& tensor);

/// Hashes the elements of tensors and writes each value once.
class Elements {
 public:
  explicit Elements(Writer& writer) : writer_(writer) {}

  /// Returns the hash of a tensor that has elements. Writes them if they are new.
  std::uint64_t hash(const at::Tensor& tensor);

 private:
  std::uint64_t written(std::string_view bytes);

  Writer& writer_;
  // Hashes of elements in row-major order, by a hash of the memory, sizes and strides. It saves
  // copying a transposed weight each time it is used.
  std::unordered_map<std::uint64_t, std::uint64_t> permuted_;
};

/// Fills memory that an operation returned uninitialised, from the byte `from` on. Numbers become
/// NaN or -1, bools become true.
void fill_uninitialised(const at::Tensor& tensor, std::size_t from);

}  // namespace torchbook::trace
