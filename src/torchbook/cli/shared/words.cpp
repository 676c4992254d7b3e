// Finds the nearest word by edit distance.
#include <absl/strings/ascii.h>
#include <absl/strings/str_replace.h>
#include <fmt/format.h>
#include <torchbook/cli/shared/words.h>

#include <algorithm>
#include <numeric>

namespace torchbook::cli {
namespace {

/// Returns the number of insertions, deletions, replacements and swaps of neighbours that turn
/// `from` into `to`. A long `from` may also be the beginning of `to`.
std::size_t typing_errors(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before(to.size() + 1);
  std::vector<std::size_t> last(to.size() + 1);
  std::vector<std::size_t> now(to.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(now);
  }
  constexpr std::size_t long_word = 6;
  return from.size() < long_word ? last.back() : *std::min_element(last.begin(), last.end());
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  const std::string typed =
      absl::AsciiStrToLower(std::string(word.substr(0, 100)));  // no known word is longer
  std::vector<std::string> continued;
  std::string best;
  std::size_t fewest = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (const auto& candidate : known) {
    const std::string one = absl::AsciiStrToLower(candidate);
    if (one.starts_with(typed)) continued.push_back(candidate);
    if (const auto errors = typing_errors(typed, one); errors < fewest) {
      fewest = errors;
      best = candidate;
    }
  }
  return continued.size() == 1 ? continued.front() : best;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& known) {
  const auto meant = nearest(word, known);
  return meant.empty() ? "" : fmt::format("; did you mean {}?", meant);
}

std::string shell_quoted(std::string_view word) {
  constexpr std::string_view safe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(safe) == word.npos) return std::string(word);
  return fmt::format("'{}'", absl::StrReplaceAll(std::string(word), {{"'", "'\\''"}}));
}

bool is_name(std::string_view text) {
  const auto is_in_name = [](unsigned char c) { return absl::ascii_isalnum(c) || c == '_'; };
  return !text.empty() && !absl::ascii_isdigit(static_cast<unsigned char>(text.front())) &&
         std::all_of(text.begin(), text.end(), is_in_name);
}

}  // namespace torchbook::cli
