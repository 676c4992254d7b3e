// Finds the first place where two texts disagree, and the values there.
#include <torchbook/golden/printed_comparison.h>
#include <torchbook/golden/printed_mismatch.h>
#include <torchbook/golden/printed_number.h>

#include <algorithm>
#include <cmath>

namespace torchbook::golden {
namespace {

/// Returns the values of both texts at the token `at`.
PrintedPair pair_at(const Printed& golden, const Printed& actual, std::size_t at) {
  const PrintedToken& left = golden.tokens[at];
  const PrintedToken& right = actual.tokens[at];
  PrintedPair pair{.golden = std::string(piece(golden.text, left.range)),
                   .actual = std::string(piece(actual.text, right.range))};
  if (left.element) {
    pair.tensor = left.tensor;
    pair.index = golden.index_of(left);
  }
  if (!left.number || !right.number) return pair;
  const PrintedNumber number(pair.golden);
  pair.absolute = number.distance(PrintedNumber(pair.actual));
  pair.relative = *pair.absolute / std::fabs(number.value());
  return pair;
}

/// Returns the values at the token `at`, where the texts disagree, or nullopt if there are no
/// values.
std::optional<PrintedPair> differing_pair(const Printed& golden, const Printed& actual, std::size_t at) {
  const PrintedToken& left = golden.tokens[at];
  const PrintedToken& right = actual.tokens[at];
  if (auto mismatch = mismatch_at(golden, actual, at)) {
    const std::size_t tensor = left.tensor == right.tensor ? left.tensor : 0;
    return PrintedPair{.tensor = tensor, .mismatch = std::move(mismatch)};
  }
  const auto is_value = [](const PrintedToken& token) { return token.number || token.element; };
  if (!is_value(left) || !is_value(right)) return std::nullopt;
  return pair_at(golden, actual, at);
}

}  // namespace

PrintedComparison compare_printed(std::string_view golden, std::string_view actual) {
  const Printed left = read_printed(golden);
  const Printed right = read_printed(actual);
  PrintedComparison comparison;
  for (std::size_t i = 0; i < std::min(left.tokens.size(), right.tokens.size()); ++i) {
    const auto one = piece(golden, left.tokens[i].range);
    const auto other = piece(actual, right.tokens[i].range);
    if (one == other) continue;
    const bool numbers = left.tokens[i].number && right.tokens[i].number;
    if (!numbers || !PrintedNumber(one).agrees_with(PrintedNumber(other))) {
      comparison.first = differing_pair(left, right, i);
      return comparison;
    }
    if (!comparison.first && PrintedNumber(one).distance(PrintedNumber(other)) != 0) {
      comparison.first = pair_at(left, right, i);
    }
  }
  comparison.agree = left.tokens.size() == right.tokens.size();
  if (!comparison.agree) comparison.first.reset();
  return comparison;
}

}  // namespace torchbook::golden
