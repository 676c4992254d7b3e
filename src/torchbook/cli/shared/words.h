// Finds the known word that a user probably meant, and quotes words for a shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::cli {

/// Returns the known word, or the one with a beginning, from which `word` differs by the fewest typing
/// errors: by one, or by a third of its letters. Returns an empty text if no word is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// Returns `; did you mean check?`, or an empty text if no known word is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

/// Quotes a word for a POSIX shell. Returns it unchanged if it needs no quotes, otherwise in single
/// quotes.
std::string shell_quoted(std::string_view word);

}  // namespace torchbook::cli
