// Finds what a printed tensor says of the draws that made it.
#pragma once

#include <torchbook/rng/draw_test.h>
#include <torchbook/seeds/call_text.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::seeds {

/// The elements that a text shows of a tensor.
struct ShownElements {
  std::string_view text;                                ///< of the tensor: `tensor(…)`
  std::map<std::int64_t, std::string_view> elements{};  ///< by their index in row-major order
  std::optional<std::vector<std::int64_t>> shape{};     ///< of what is printed, if it is a whole tensor
};

/// Reads a text with one printed tensor: what the call gave, or its beginning, as `x[0]` or `x[:2]` or the
/// first rows of a text that breaks off. Throws SeedError.
ShownElements read_shown(std::string_view text, const TensorCall& call);

/// Returns the tests that the draws of the call must pass, sorted by draw. Throws SeedError if the call
/// cannot give one of the elements.
std::vector<rng::DrawTest> tests_of(const TensorCall& call, const ShownElements& shown);

/// Returns how many bits the tests say of the state.
double bits_of(const std::vector<rng::DrawTest>& tests);

/// A search can decide if it is expected to have at most so many false hits.
inline constexpr double most_false_hits = 0.01;

/// Returns how many of so many states are expected to pass the tests although they are not searched for.
double false_hits(const std::vector<rng::DrawTest>& tests, double states);

}  // namespace torchbook::seeds
