// Scans the elements of two tensors for those that differ.
#pragma once

#include <torchbook/golden/element.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace torchbook::golden {

/// The elements that differ in their bits.
struct Differing {
  std::size_t count = 0;
  std::size_t first = 0;                        ///< which element is the first of them
  std::optional<std::uint64_t> largest_ulps{};  ///< nullopt if none has a distance in ulps
  std::size_t largest_at = 0;                   ///< the first element with that distance
};

/// Compares two tensors with the same number of bytes. Each element has `size` bytes.
Differing differing_elements(std::string_view golden, std::string_view actual, std::size_t size,
                             const ElementFormat& format);

}  // namespace torchbook::golden
