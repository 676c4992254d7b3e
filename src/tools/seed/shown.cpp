// Finds the index of each printed element in the tensor of the call.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tools/seed/known_draws.h>
#include <torchbook/golden/printed.h>

#include <algorithm>

namespace torchbook::seeds {
namespace {

using Shape = std::vector<std::int64_t>;

/// Returns whether a tensor of this shape can be the beginning of the whole one, such as `x`,
/// `x[0]`, `x[:2]`.
bool begins(const Shape& shape, const Shape& whole) {
  if (shape.size() > whole.size()) return false;
  if (shape.empty()) return true;
  const auto tail = whole.end() - static_cast<std::ptrdiff_t>(shape.size());
  return shape.front() <= *tail && std::equal(shape.begin() + 1, shape.end(), tail + 1);
}

std::int64_t row_major(const Shape& index, const Shape& shape) {
  std::int64_t at = 0;
  for (std::size_t i = 0; i < index.size(); ++i)
    at = at * shape[i] + (index[i] < 0 ? index[i] + shape[i] : index[i]);
  return at;
}

const golden::PrintedTensor& only_tensor(const golden::Printed& printed) {
  if (printed.tensors.size() != 1) {
    throw SeedError(fmt::format("the text has {} printed tensors; it must have one, as tensor([…])",
                                printed.tensors.size()));
  }
  return printed.tensors.front();
}

}  // namespace

ShownElements read_shown(std::string_view text, const TensorCall& call) {
  const auto printed = golden::read_printed(text);
  const auto& tensor = only_tensor(printed);
  const bool summary = std::any_of(printed.brackets.begin(), printed.brackets.end(),
                                   [](const auto& bracket) { return bracket.ellipsis.has_value(); });
  ShownElements shown{.text = golden::piece(text, tensor.range)};
  if (tensor.whole) shown.shape = tensor.shape;
  auto shape = summary ? call.shape : tensor.shape.value_or(Shape());
  if (tensor.shape && !summary && !begins(*tensor.shape, call.shape)) {
    throw SeedError(fmt::format("the printed tensor is ({}), which is not the beginning of ({})",
                                fmt::join(*tensor.shape, ", "), fmt::join(call.shape, ", ")));
  }
  if (summary && (!tensor.shape || tensor.shape->size() != call.shape.size())) {
    throw SeedError("a summary with … must be that of the whole tensor");
  }
  std::int64_t next = 0;
  for (const auto& token : printed.tokens) {
    if (!token.element || token.tensor != 1) continue;
    const auto at = tensor.shape ? row_major(printed.index_of(token), shape) : next++;
    if (at >= call.call.count || at < 0) throw SeedError("the text shows more elements than the call draws");
    shown.elements.emplace(at, golden::piece(text, token.range));
  }
  if (shown.elements.empty()) throw SeedError("the printed tensor shows no elements");
  return shown;
}

}  // namespace torchbook::seeds
