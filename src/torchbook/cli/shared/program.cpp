// Words messages and the commands that they suggest.
#include <absl/strings/str_replace.h>
#include <fmt/format.h>
#include <torchbook/cli/shared/program.h>
#include <torchbook/cli/system/files.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace torchbook::cli {
namespace {

/// Returns how many letters to insert, delete or replace turn `from` into `to`, or into its beginning if
/// `from` has four letters or more.
std::size_t typing_errors(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    auto diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const auto replaced = diagonal + (from[i] == to[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({diagonal + 1, row[j] + 1, replaced});
    }
  }
  return from.size() < 4 ? row.back() : *std::min_element(row.begin(), row.end());
}

}  // namespace

void say(const Program& program, const std::vector<std::string>& lines) {
  for (const auto& line : lines) say_on_stderr(fmt::format("{}: {}", program.name, line));
}

SameCommand same_command(const Program& program, const std::string& command,
                         const std::vector<std::string>& options) {
  const auto start = shell_quoted(program.path) + (command.empty() ? "" : ' ' + command);
  std::string end;
  for (const auto& option : options) end += ' ' + shell_quoted(option);
  return [start, end, several = program.several](std::string_view slug) {
    return fmt::format("{}{}{}{}", start, several ? " " : "", several ? slug : "", end);
  };
}

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  std::string best;
  auto fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const auto& candidate : known) {
    if (const auto errors = typing_errors(word, candidate); errors < fewest) {
      fewest = errors;
      best = candidate;
    }
  }
  return best;
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

}  // namespace torchbook::cli
