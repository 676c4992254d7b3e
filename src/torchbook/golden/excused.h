// Decides whether outputs differ only in the parts that an exception excuses.
#pragma once

#include <torchbook/golden/golden.h>
#include <torchbook/notebook/transcript.h>

#include <optional>
#include <string>

namespace torchbook::golden {

/// Returns whether a cell differs from its golden in nothing but the parts that the exception names. Tensors
/// that are recorded are compared too, but for the elements whose text is excused.
bool differs_in_parts_only(const ExcusedParts& parts, const notebook::Cell& cell, const GoldenCell& golden,
                           Closeness closeness);

/// Returns whether a golden has something that the parts can excuse.
bool has_parts(const ExcusedParts& parts, const GoldenCell& golden);

/// Returns the words in which two outputs of a cell differ, as ExcusedParts::text has them; nullopt if they
/// do not have the same lines with the same numbers of words, or differ in more than most_words, or beside
/// them.
std::optional<std::string> words_that_differ(const GoldenCell& one, const GoldenCell& other);

}  // namespace torchbook::golden
