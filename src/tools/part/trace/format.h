// The format of traces. This file leads: the recorder here and the reader, trace_file.cpp, follow it.
//
// A trace is `magic`, `version` (32 bits) and records. Numbers are little-endian. The payloads of records
// are:
//
//   string     the bytes of a text, whose number is how many string records there are so far
//   run        what computes, as a JSON object
//   named      text, NamedRole, tensor
//   value      hash and size of a tensor's elements (64 bits each), and the first of these bytes
//   begin      texts: operation, module, line; flags (8 bits: 1 is backward), generator, values
//   end        generator, values
//   mark       text
//   finished   how many operations began (64 bits)
//   arguments  texts: operation, names of its arguments as `self,other,alpha`
//
//   text       the number of a string (32 bits), or 0 if it is empty
//   values     their number (32 bits); each is its Tag (8 bits) and then a tensor, a number (64 bits), a
//   boolean
//              (8 bits), a text, values, two numbers (complex), or the text of a type (other)
//   tensor     texts: dtype, device; flags, dimensions (8 bits each), sizes and, if it is strided, strides
//   (64 bits
//              each), storage (32 bits), hash (64 bits), and if it has one, its offset (64 bits)
//   generator  8 bits and, if there is one, its seed and the hash of its state (64 bits each)
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
  arguments = 9,
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
