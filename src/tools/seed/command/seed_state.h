// Holds the progress of a search for a seed, and stores it in a file.
#pragma once

#include <tools/seed/drawing.h>
#include <tools/seed/rng/scan.h>

#include <string>
#include <vector>

namespace torchbook::cli {

/// The limit on the parts of a search.
inline constexpr std::uint64_t most_parts = 1'000'000;

/// A search for a seed, or a part of one, and how far it has come.
struct SeedState {
  std::string call;  ///< the call in Python
  std::string text;  ///< the printed tensor without spaces
  std::uint32_t first_offset = 0;
  std::uint32_t last_offset = 0;
  std::uint64_t all_begin = 0;  ///< the first seed of the whole search
  std::uint64_t all_end = 0;    ///< after its last seed
  std::uint64_t part = 1;       ///< which part of it this is, from 1
  std::uint64_t parts = 1;      ///< how many parts it has
  std::uint64_t begin = 0;      ///< the first seed of the part
  std::uint64_t end = 0;        ///< after the last seed of the part
  std::uint64_t next = 0;       ///< the seeds of the part before this one are searched
  std::vector<rng::State> found{};
};

/// Sets the state to the beginning of a part of its search.
void begin_part(SeedState& state, std::uint64_t part, std::uint64_t parts);

/// Returns the name of the first property in which two searches differ, such as `text`; empty if
/// they are parts of the same search.
std::string difference(const SeedState& a, const SeedState& b);

/// Reads a state file. Throws UsageError.
SeedState read_seed_state(const std::string& path);

/// Writes a state file.
void write_seed_state(const std::string& path, const SeedState& state);

/// Joins the parts of a search. Throws UsageError if they do not belong together, or if a part is missing or
/// not searched to its end.
SeedState joined_seed_states(const std::vector<std::string>& paths);

}  // namespace torchbook::cli
