// Derives tests of draws from the printed tensor that they made.
#pragma once

#include <tools/seed/rng/draw_test.h>
#include <tools/seed/tensor_call.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::seeds {

/// The elements of a tensor that a text shows.
struct ShownElements {
  std::string_view text;                                ///< of the tensor: `tensor(…)`
  std::map<std::int64_t, std::string_view> elements{};  ///< by their index in row-major order
  std::optional<std::vector<std::int64_t>> shape{};     ///< of the printed tensor, if it is whole
};

/// Reads a text with one printed tensor: the result of the call or its beginning, such as `x[0]`,
/// `x[:2]` or the first rows of a truncated text. Throws SeedError.
ShownElements read_shown(std::string_view text, const TensorCall& call);

/// Returns the tests that the draws of the call must pass, sorted by draw. Throws SeedError if the
/// call can never produce one of the elements.
std::vector<rng::DrawTest> tests_of(const TensorCall& call, const ShownElements& shown);

/// Returns how many bits of information the tests contain.
double bits_of(const std::vector<rng::DrawTest>& tests);

/// The most expected false hits with which a search is conclusive.
inline constexpr double most_false_hits = 0.01;

/// Returns how many of `states` states are expected to pass the tests by chance.
double false_hits(const std::vector<rng::DrawTest>& tests, double states);

}  // namespace torchbook::seeds
