// Holds how far a search for a seed has come, and keeps it in a file.
#pragma once

#include <torchbook/rng/scan.h>

#include <optional>
#include <string>
#include <vector>

namespace torchbook::cli {

/// A search for a seed, or a part of one, and how far it has come.
struct SeedState {
  std::string call;  ///< the call in Python
  std::string text;  ///< the printed tensor without spaces
  std::uint32_t first_offset = 0;
  std::uint32_t last_offset = 0;
  std::uint64_t begin = 0;  ///< the first seed
  std::uint64_t end = 0;    ///< behind the last seed
  std::uint64_t next = 0;   ///< the seeds before this one are searched
  std::vector<rng::State> found{};

  /// Returns whether both search for the same.
  bool same_search(const SeedState& other) const {
    return call == other.call && text == other.text && first_offset == other.first_offset &&
           last_offset == other.last_offset;
  }
};

/// Reads a state file. Throws UsageError.
SeedState read_seed_state(const std::string& path);

/// Writes a state file.
void write_seed_state(const std::string& path, const SeedState& state);

/// Joins the parts of a search. Throws UsageError if they do not belong together, or seeds are missing.
SeedState joined_seed_states(const std::vector<std::string>& paths);

}  // namespace torchbook::cli
