// Finds the known word that a user probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::cli {

/// Returns the known word that `word` is the beginning of, if there is only one. Otherwise returns the word
/// that the fewest typing errors turn into `word`, if they are at most a third of its letters. Ignores upper
/// and lower case. Returns an empty text if no word is near.
std::string nearest(std::string_view word, const std::vector<std::string>& known);

/// Returns `; did you mean check?`, or an empty text if no known word is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace torchbook::cli
