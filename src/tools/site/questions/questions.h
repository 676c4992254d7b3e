// Reads the questions of a page: files in which a teacher asks for changes, and says how a page checks them.
// Pages include only this file of the folder.
#pragma once

#include <tools/site/html.h>
#include <tools/site/origin/pictures.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::site {

/// The cell that sets a seed.
struct SeedCell {
  std::size_t position = 0;
  std::string cell{};  ///< its name
};

/// The tensors and seeds that questions may name.
struct Askable {
  std::span<const Picture> pictures{};
  std::span<const std::optional<std::size_t>> computed{};  ///< by picture: its tensor in the page's program
  std::vector<SeedCell> seeds{};                           ///< by seed
};

/// Reads a file of questions, from easy to hard:
///
///     questions on <slug>
///
///     ask: Change numbers of the inputs so that “one” looks at itself most.
///     change: t1-1
///     check: argmax(t5-1[4]) == 4
///     hint: A longer vector has a larger product with itself.
///     answer: t1-1.12=3
///
/// `t5-1` is the id of a tensor on the page: the first one that the cell at position 5 shows. `u5-1` is the
/// first one that it uses but does not show. An index is Python's: an integer or `:` for each dimension.
///
/// - `change` lists what may be changed: tensors, parts of them, and seeds such as `seed.0`. `2 of t1-1`
///   allows at most two changes.
/// - `check` is a condition of numbers, entries, `+ - * /`, comparisons, `and`, `or`, `not`, `abs(number)`,
///   and `argmax`, `max`, `min`, `mean` and `sum` of a tensor or a part. Comparisons are made in float32.
/// - `answer` lists changes as a page's address does.
///
/// A line that begins with spaces continues the line before it. Empty lines and lines that begin with `#` are
/// ignored. Returns the questions for questions.mustache. Throws TextError if the text is malformed or
/// belongs to another notebook, if it names anything that the page lacks or cannot compute, or if an answer
/// changes more than its question allows.
Data questions_data(std::string_view text, std::string_view slug, const Askable& page);

}  // namespace torchbook::site
