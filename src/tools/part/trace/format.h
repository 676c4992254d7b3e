// Defines the constants of the trace file format, for its writers and its reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace torchbook::trace {

inline constexpr std::string_view magic = "torchbook trace\n";
inline constexpr std::uint32_t version = 2;

// A record is its kind (8 bits), the size of its payload (32 bits), the checksum of these five bytes, the
// payload, and the checksum of the payload. A checksum is the lower 32 bits of XXH3. The head has its own,
// so that a wrong size is not taken for a trace that was cut off.
inline constexpr std::size_t head_size = 5;
inline constexpr std::size_t checksum_size = 4;

/// The kinds of records.
enum class RecordKind : std::uint8_t {
  string = 1,
  run = 2,
  named = 3,
  value = 4,
  begin = 5,
  end = 6,
  mark = 7,
  finished = 8,
  arguments = 9,  ///< an operation's name, and the names of its arguments: `self,other,alpha`
};

/// The kinds of values.
enum class Tag : std::uint8_t { none, tensor, whole, real, boolean, text, list, complex, other };

/// The roles of named tensors.
enum class NamedRole : std::uint8_t {
  parameter,
  buffer,
  given,  ///< the program named it
  shown,  ///< the program showed it: an output, which may be the result of what is before
};

/// Bits of a tensor's flags.
inline constexpr std::uint8_t requires_grad = 1;
inline constexpr std::uint8_t not_strided = 2;
inline constexpr std::uint8_t has_offset = 4;  ///< the offset in its storage, in elements, follows the hash

/// What precedes the seed and the hash of a generator's state.
inline constexpr std::uint8_t no_generator = 0;  ///< neither of them follows
inline constexpr std::uint8_t used_generator = 1;
inline constexpr std::uint8_t fresh_generator = 2;  ///< nothing was drawn since it was seeded

}  // namespace torchbook::trace
