// Finds the index of each printed element in the tensor of the call.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/seed/known_draws.h>
#include <torchbook/golden/printed.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace torchbook::seeds {
namespace {

using Shape = std::vector<std::int64_t>;

/// Returns the shape of the printed tensor of `count` elements if it can be the beginning of the whole one,
/// such as `x`, `x[0]`, `x[:2]`.
std::optional<Shape> shape_of_beginning(const golden::Printed& printed, std::int64_t count, Shape shape) {
  for (;; shape.erase(shape.begin())) {
    if (!shape.empty()) {
      const auto row = std::accumulate(shape.begin() + 1, shape.end(), std::int64_t{1}, std::multiplies<>());
      if (row == 0 || count > row * shape.front()) return std::nullopt;
      shape.front() = count / row;
    }
    if (const auto found = golden::elements_of(printed, 0, shape); found && std::ssize(*found) == count)
      return shape;
    if (shape.empty()) return std::nullopt;
  }
}

/// Reads the numbers of the printed tensor in their order, up to suffixes such as `device='cuda:0'`. Returns
/// the token that ends it, its parenthesis, or the number of tokens if that is missing.
std::size_t read_numbers(const golden::Printed& printed, ShownElements& shown) {
  std::size_t parentheses = 0;
  bool in_suffix = false;
  for (auto at = printed.tensors.front() + 1; at < printed.tokens.size(); ++at) {
    const auto word = printed.word(at);
    if (word == "(") ++parentheses;
    if (word == ")" && --parentheses == 0) return at;
    in_suffix |= word == "=";
    if (!in_suffix && printed.tokens[at].number) shown.elements.emplace(std::ssize(shown.elements), word);
  }
  return printed.tokens.size();
}

}  // namespace

ShownElements read_shown(std::string_view text, const TensorCall& call) {
  const auto printed = golden::read_printed(text);
  if (printed.tensors.size() != 1) {
    throw SeedError(
        fmt::format("the text has {} printed tensors; give it one, as tensor([…])", printed.tensors.size()));
  }
  ShownElements shown;
  const auto end = read_numbers(printed, shown);
  const bool torn = end == printed.tokens.size();
  const auto begin = printed.tokens[printed.tensors.front()].range.begin;
  shown.text = text.substr(begin, torn ? text.npos : printed.tokens[end].range.end - begin);
  const bool summary = std::any_of(printed.tokens.begin(), printed.tokens.end(), [&](const auto& token) {
    return golden::piece(text, token.range) == "...";
  });
  if (summary) {
    const auto elements = golden::elements_of(printed, 0, call.shape);
    if (!elements) throw SeedError("a summary with … must be that of the whole tensor");
    shown.elements.clear();
    for (const auto& one : *elements)
      shown.elements.emplace(static_cast<std::int64_t>(one.index), golden::piece(text, one.range));
  }
  const auto count = std::ssize(shown.elements);
  if (count == 0) throw SeedError("the printed tensor shows no elements");
  if (count > call.call.count) throw SeedError("the text shows more elements than the call draws");
  if (!summary && !torn) {
    shown.shape = shape_of_beginning(printed, count, call.shape);
    if (!shown.shape) {
      throw SeedError(fmt::format("the printed tensor of {} elements is not how a tensor of ({}) begins",
                                  count, fmt::join(call.shape, ", ")));
    }
  }
  return shown;
}

}  // namespace torchbook::seeds
