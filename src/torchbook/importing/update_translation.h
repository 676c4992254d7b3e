// Decides which new cells of an updated notebook get their translation.
#pragma once

#include <torchbook/importing/draft.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::importing {

/// What the old port has of a cell.
struct OldCpp {
  std::string_view source;  ///< its C++
  std::string_view above;   ///< the notes and restored states above it
};

/// What becomes of the translation of a cell.
struct TakenTranslation {
  bool is_taken = false;
  std::string why{};  ///< why the cell is not ported; empty if it is, or needs no C++
};

/// Returns for each cell of the draft whether its translation is taken. `kept` has what the old port has of
/// the cells that stay.
///
/// A translation relies on what the cells above it are in C++. So it is taken only if each cell above that
/// assigns a name which it uses has the C++ that import writes now, comments and layout aside, and if it
/// declares no name that is in other C++.
std::vector<TakenTranslation> taken_translations(const Draft& draft,
                                                 const std::vector<std::optional<OldCpp>>& kept);

/// Returns the text above the first cell of the old port with the lines that the taken translations need.
std::string with_needs(std::string_view head, const Draft& draft, const std::vector<TakenTranslation>& taken);

}  // namespace torchbook::importing
