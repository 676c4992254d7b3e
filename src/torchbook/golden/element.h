// How the elements of recorded tensors lie in memory.
#pragma once

#include <torchbook/golden/floating.h>
#include <torchbook/notebook/recorded_tensor.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace torchbook::golden {

enum class ElementKind { floating, complex, integer, natural, boolean, other };

/// The format of a dtype's elements.
struct ElementFormat {
  ElementKind kind = ElementKind::other;
  IeeeFormat part{};  ///< of an element, or of either part of a complex one; integers use its bytes only
};

/// Returns the format of a dtype such as `torch.float32`; one of the kind `other` for those not known.
ElementFormat element_format(const std::string& dtype);

/// Returns the unsigned integer that `bytes` bytes in memory are, of at most 8.
std::uint64_t load_bits(const char* at, int bytes);

/// Returns the signed integer that these bits are in two's complement.
std::int64_t signed_value(std::uint64_t bits, int bytes);

/// Returns how many elements the recorded bytes hold; 0 for a record whose bytes do not fit its shape.
std::size_t element_count(const notebook::RecordedTensor& tensor, const ElementFormat& format);

}  // namespace torchbook::golden
