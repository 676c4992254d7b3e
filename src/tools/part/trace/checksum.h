// The checksum of records, for the writer and the reader of traces.
#pragma once

#define XXH_INLINE_ALL  // so that no program needs its library
#include <xxhash.h>

#include <cstdint>
#include <string_view>

namespace torchbook::trace {

/// Returns the hash of some bytes: XXH3 with 64 bits.
inline std::uint64_t hash_of(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

/// Returns the checksum of some bytes of a record.
inline std::uint32_t checksum(std::string_view bytes) { return static_cast<std::uint32_t>(hash_of(bytes)); }

}  // namespace torchbook::trace
