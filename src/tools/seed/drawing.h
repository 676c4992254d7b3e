// Finds the statements of a notebook that draw tensors, and the cells that show these.
#pragma once

#include <tools/import/draft.h>
#include <tools/seed/rng/scan.h>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::cli {

inline constexpr std::uint64_t last_seed = 0xffffffff;
/// A search of later offsets would take years.
inline constexpr std::uint64_t last_offset = 1'000'000;

/// A statement of a notebook that draws a tensor, such as `x = torch.randn(4, 8, 2)`.
struct Drawing {
  std::size_t cell = 0;  ///< the index of its cell
  std::string name{};    ///< of the tensor; empty if it has none
  std::string call{};    ///< in Python, with numbers as sizes; empty if it cannot be searched
  std::string why{};     ///< why it cannot be searched
  bool first = true;     ///< whether nothing in its cell draws before it
  bool seeded = false;   ///< whether the notebook has set a seed before
  /// The index of the cell that gives the name another value.
  std::size_t until = std::numeric_limits<std::size_t>::max();
};

/// Returns the drawings of a notebook in document order. Only statements on one line without
/// indentation are read.
std::vector<Drawing> drawings_of(const importing::Draft& draft);

/// Returns the drawing whose tensor a cell shows. That is the drawing assigned to the name that the
/// cell's last line displays or prints, or else the last drawing up to the cell. Returns nullptr if
/// nothing was drawn.
const Drawing* shown_drawing(const std::vector<Drawing>& drawings, const importing::Draft& draft,
                             std::size_t cell);

/// Returns the text of a cell that has a tensor: its result, otherwise what it printed.
const std::string& tensor_text(const golden::GoldenCell& cell);

/// Returns the index of the cell with that label, or position such as `@7`. Throws UsageError.
std::size_t cell_index(const importing::Draft& draft, const std::string& name);

/// Returns the label of a cell if it is unique, otherwise its position.
std::string cell_name(const importing::Draft& draft, std::size_t cell);

/// Returns a line that says how to find the seed of a tensor that the notebook draws without one and shows.
/// Empty if there is none, or if a search could not decide. `file` is the notebook's.
std::string seed_hint(const importing::Draft& draft, const std::string& file);

/// Restores the state of the generator above a cell, as `CELL=SEED,DRAWS` says. Throws UsageError.
void restore_seed(importing::Draft& draft, const std::string& text);

/// Returns the statements that restore a state of the generator.
importing::RestoredState restored_seed(const rng::State& state);

}  // namespace torchbook::cli
