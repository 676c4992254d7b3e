// Restores the state of the random number generator above a cell.
#pragma once

#include <tools/import/draft.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace torchbook::importing {

/// The most draws that a restored state may leave out. To search for more takes weeks.
inline constexpr std::uint32_t most_draws = 1'000'000;

/// Returns the statements that set a seed and leave out draws.
RestoredState restored_seed(std::uint32_t seed, std::uint32_t draws);

/// Returns the index of the cell with that label, or position such as `@7`. Throws ImportError.
std::size_t cell_index(const Draft& draft, std::string_view name);

/// Returns the label of a cell if it is unique, otherwise its position.
std::string cell_name(const Draft& draft, std::size_t cell);

}  // namespace torchbook::importing
