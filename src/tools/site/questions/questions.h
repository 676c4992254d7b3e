// Reads files of questions, in which a teacher asks for changes and states how a page checks them.
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
///     change: inputs
///     check: argmax(attn_weights[4]) == 4
///     hint: A longer vector has a larger product with itself.
///     answer: inputs[4, 0] = 3
///
/// A tensor is named by its variable. If several tensors of the page have that variable, or if it is not
/// known, the tensor is named as formulas on the page name it: `x of In [4]`, or `In [4]`. An index is
/// Python's: an integer or `:` for each dimension.
///
/// - `change` lists the tensors, parts of tensors and seeds, such as `seed of In [7]`, that may be changed.
///   `2 of inputs` allows at most two changes.
/// - `check` is a condition of numbers, entries, `+ - * /`, comparisons, `and`, `or`, `not`, `abs(number)`,
///   and `argmax`, `max`, `min`, `mean` and `sum` of a tensor or a part. Comparisons are made in float32.
///   Their sides must be finite, unless one of them has `inf`.
/// - `answer` lists changes.
///
/// A line that begins with spaces continues the line before it. Empty lines and lines that begin with `#` are
/// ignored. Returns the questions for questions.mustache. Throws TextError if the text is malformed or
/// belongs to another notebook, if it names anything that the page lacks or cannot compute, or if an answer
/// changes more than its question allows.
Data questions_data(std::string_view text, std::string_view slug, const Askable& page);

}  // namespace torchbook::site
