// The names that a port and its twin give to the entries of a tensor along a dimension.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::notebook {

/// The rule that is_axis_name() checks, as error messages state it.
inline constexpr std::string_view axis_name_rule =
    "the name of an entry must have 1 to 64 bytes, no comma, no control characters and no space around it";

/// Returns whether a text can be the name of an entry. Twins and traces separate names by commas.
bool is_axis_name(std::string_view text);

/// The dim of an Axis that has words: the entries of the tensor are indices of its names.
inline constexpr std::int64_t of_words = -1;

/// The names of the entries along a dimension.
struct Axis {
  std::int64_t dim = 0;  ///< or `of_words`
  std::vector<std::string> names{};

  bool operator==(const Axis&) const = default;
};

/// Returns the text that axis_in() reads: `0: Your, journey`, or `words: cat, mat`.
std::string axis_text(std::int64_t dim, std::span<const std::string_view> names);

/// Reads a dimension and its names, or returns nullopt for another text.
std::optional<Axis> axis_in(std::string_view text);

/// An axis that a port names with `nb.axis` or `nb.words`, or a twin in a comment.
struct NamedAxis {
  std::string tensor;  ///< the variable
  Axis axis{};
  std::size_t line = 0;  ///< in the file, from 1

  /// Returns it as a twin writes it: `# axis inputs 0: Your, journey`, or `# words ids: cat, mat`.
  std::string comment() const;
};

/// Reads a line of a twin, or returns nullopt if it names no axis. The line's number is left at 0.
std::optional<NamedAxis> axis_of_comment(std::string_view line);

}  // namespace torchbook::notebook
