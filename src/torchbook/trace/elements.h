// Reads the bytes of a tensor's elements in row-major order.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string_view>
#include <unordered_map>

namespace torchbook::trace {

class Writer;

/// Returns the hash of some bytes: XXH3 with 64 bits.
std::uint64_t hash_of(std::string_view bytes);

/// Returns whether a tensor has elements in memory that strides describe.
bool has_elements(const at::Tensor& tensor);

/// Hashes the elements of tensors and writes each value once.
class Elements {
 public:
  explicit Elements(Writer& writer) : writer_(writer) {}

  /// Returns the hash of a tensor that has elements. Writes them if they are new.
  std::uint64_t hash(const at::Tensor& tensor);

 private:
  std::uint64_t written(std::string_view bytes);

  Writer& writer_;
  // The hash of elements in row-major order, by the hash of the memory and how it is read. So a transposed
  // weight that is used again is not copied again.
  std::unordered_map<std::uint64_t, std::uint64_t> permuted_;
};

/// Fills memory that an operation gave without writing it: numbers become NaN or -1, bools true. `from` is
/// the first byte of its memory to fill.
void fill_uninitialised(const at::Tensor& tensor, std::size_t from);

}  // namespace torchbook::trace
