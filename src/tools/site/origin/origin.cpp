// Recognizes products, softmaxes and quotients among the operations of a trace.
#include <fmt/format.h>
#include <tools/part/tensor_bits.h>
#include <tools/site/origin/operation.h>
#include <tools/site/origin/origin.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace torchbook::site {
namespace {

using trace_diff::Flow;
using trace_diff::Made;

constexpr double largest_root = 1 << 16;

/// A factor of a product.
struct Factor {
  Operand operand;
  bool transposed = false;
};

class Finder {
 public:
  Finder(const Flow& flow, const FindPicture& picture_of) : flow_(flow), picture_of_(picture_of) {}

  std::optional<Origin> origin_of(std::size_t value) const {
    if (is_product(flow_, value)) {
      const auto& inputs = flow_[value].inputs;
      return product(inputs[0], inputs[1], flow_.name(flow_[value]) == "linear");
    }
    if (is_softmax(flow_, value))
      return softmax(flow_[value].inputs.front(), whole_argument(flow_, value, 1));
    if (flow_[value].by == Made::By::insertion) return written_by_parts(value);
    const auto name = operation_name(flow_, value);
    if (name == "add") return added_up(value);
    if (name == "mul") return scaled(value, true);
    if (name != "div") return std::nullopt;
    if (auto origin = scaled(value, false)) return origin;
    return exponentials_by_sum(value);
  }

 private:
  // ------------------------------------------------------------ products

  std::optional<Factor> factor(std::size_t value, bool may_be_transposed) const {
    if (const auto picture = picture_of_(value)) return Factor{.operand = {.tensor = *picture}};
    if (const auto part = selected(flow_, value)) {
      const auto picture = picture_of_(part->from);
      if (!picture || part->dim != 0 || flow_.shape(part->from).size() != 2) return std::nullopt;
      return Factor{.operand = {.tensor = *picture, .row = part->index}};
    }
    const auto from = transposed_from(flow_, value);
    const auto picture = from && may_be_transposed ? picture_of_(*from) : std::nullopt;
    if (!picture) return std::nullopt;
    return Factor{.operand = {.tensor = *picture}, .transposed = true};
  }

  std::optional<Origin> product(std::size_t left, std::size_t right, bool right_is_transposed) const {
    const auto batch = [&](std::size_t value) {
      const auto shape = flow_.shape(value);
      return shape.first(shape.size() < 2 ? 0 : shape.size() - 2);
    };
    const auto is_one = [](const auto& sizes) {
      return std::ranges::all_of(sizes, [](auto n) { return n == 1; });
    };
    const bool is_matched =
        is_one(batch(left)) || is_one(batch(right)) || std::ranges::equal(batch(left), batch(right));
    const auto one = factor(left, false);
    const auto other = factor(right, true);
    if (!one || !other || !is_matched) return std::nullopt;
    return Origin{.kind = Origin::Kind::product,
                  .left = one->operand,
                  .right = other->operand,
                  .transposed = other->transposed != right_is_transposed};
  }

  // ------------------------------------------------------------ softmax and quotients

  std::optional<Origin> softmax(std::size_t scores, std::optional<std::int64_t> dim) const {
    const auto picture = picture_of_(scores);
    const auto rank = static_cast<std::int64_t>(flow_.shape(scores).size());
    if (!picture || !dim || *dim < -rank || *dim >= rank) return std::nullopt;
    return Origin{
        .kind = Origin::Kind::softmax, .left = {.tensor = *picture}, .dim = *dim < 0 ? *dim + rank : *dim};
  }

  /// Recognizes `exp(x) / exp(x).sum(dim)`. If the sum does not keep its dimension, broadcasting
  /// aligns it with the exponentials only for dimension 0.
  std::optional<Origin> exponentials_by_sum(std::size_t value) const {
    const auto& inputs = flow_[value].inputs;
    if (inputs.size() != 2 || flow_.name(flow_[inputs[1]]) != "sum") return std::nullopt;
    const auto summed = flow_[inputs[1]].inputs.front();
    if (flow_.name(flow_[inputs[0]]) != "exp" || flow_.name(flow_[summed]) != "exp") return std::nullopt;
    const auto scores = flow_[inputs[0]].inputs.front();
    if (scores != flow_[summed].inputs.front()) return std::nullopt;
    const auto rank = flow_.shape(scores).size();
    const auto arguments = flow_.trace.inputs(flow_[inputs[1]].operation);
    std::int64_t dim = 0;
    if (arguments.size() > 1 && arguments[1].tag == trace_diff::Tag::list) {
      const auto dims = flow_.trace.part({.first = arguments[1].index, .count = arguments[1].count});
      if (dims.size() != 1 || dims[0].tag != trace_diff::Tag::whole) return std::nullopt;
      dim = static_cast<std::int64_t>(dims[0].bits);
    } else if (rank != 1) {
      return std::nullopt;  // all elements are added up
    }
    const auto along = dim < 0 ? dim + static_cast<std::int64_t>(rank) : dim;
    const bool keeps_dim = flow_.shape(inputs[1]).size() == rank;
    if (along != 0 && !keeps_dim) return std::nullopt;
    auto origin = softmax(scores, along);
    if (origin) origin->by_hand = true;
    return origin;
  }

  /// Recognizes a quotient by a number, and a product with the reciprocal of a root.
  std::optional<Origin> scaled(std::size_t value, bool multiplied) const {
    const auto arguments = flow_.trace.inputs(flow_[value].operation);
    const auto& inputs = flow_[value].inputs;
    if (arguments.size() < 2 || inputs.empty()) return std::nullopt;
    const auto number = number_of(flow_, arguments[1], inputs.back());
    const auto picture = picture_of_(inputs.front());
    const bool rounds = arguments.size() > 2 && arguments[2].tag != trace_diff::Tag::none;
    if (!number || !picture || rounds || !(*number > 0)) return std::nullopt;
    const double divisor = multiplied ? 1 / *number : *number;
    const double square = std::round(divisor * divisor);
    const bool is_root = square >= 2 && square <= largest_root && divisor != std::round(divisor) &&
                         std::fabs(divisor - std::sqrt(square)) <= 1e-6 * divisor;
    if (multiplied && !is_root) return std::nullopt;
    return Origin{.kind = Origin::Kind::scaled,
                  .left = {.tensor = *picture},
                  .divisor = is_root ? fmt::format("√{}", square) : fmt::format("{:.5g}", divisor)};
  }

  // ------------------------------------------------------------ loops

  /// The two vectors whose dot product was written to an element.
  struct Element {
    std::size_t left = 0;
    std::size_t right = 0;
  };
  using Index = std::vector<std::int64_t>;

  /// Returns the index of the element that a view selects from a tensor of rank `rank`, or nullopt.
  std::optional<Index> index_of(std::size_t view, std::size_t rank) const {
    Index index(rank);
    for (std::size_t dim = rank; dim-- > 0;) {
      const auto part = selected(flow_, view);
      if (!part || part->dim != 0) return std::nullopt;
      index[dim] = part->index;
      view = part->from;
    }
    return index;
  }

  /// Returns the elements of a value that was written element by element. Returns nullopt unless
  /// each is a dot product and still has the bits that were written.
  std::optional<std::map<Index, Element>> elements(std::size_t value) const {
    const auto rank = flow_.shape(value).size();
    const auto bits = bits_of(value);
    std::size_t count = 1;
    for (const auto length : flow_.shape(value)) count *= static_cast<std::size_t>(length);
    if (!bits || rank < 1 || rank > 2 || count == 0) return std::nullopt;
    std::map<Index, Element> all;
    for (; all.size() < count; value = flow_[value].inputs.front()) {
      if (flow_[value].by != Made::By::insertion) return std::nullopt;
      const auto& inputs = flow_[value].inputs;
      const auto index = index_of(inputs[1], rank);
      if (!index || !is_product(flow_, inputs[2])) return std::nullopt;
      const auto& sides = flow_[inputs[2]].inputs;
      const auto written = bits_of(inputs[2]);
      if (!written || bits->size() != count * written->size()) return std::nullopt;
      const auto at = rank == 1 ? index->front() : index->front() * flow_.shape(value)[1] + index->back();
      const bool is_last = all.try_emplace(*index, Element{.left = sides[0], .right = sides[1]}).second;
      if (is_last &&
          bits->substr(static_cast<std::size_t>(at) * written->size(), written->size()) != *written)
        return std::nullopt;  // something else wrote it, too
    }
    return all;
  }

  std::optional<std::string> bits_of(std::size_t value) const {
    const auto elements =
        trace_diff::elements_of(flow_.trace, flow_.texts, flow_.trace.tensors[flow_[value].tensor]);
    return elements && elements->whole ? std::optional(std::string(elements->bytes)) : std::nullopt;
  }

  /// Returns the matrix whose row `index[dim]` is a factor of the element at each `index`, or
  /// nullopt. `get` selects the factor.
  template <class Get>
  std::optional<std::size_t> matrix_of_rows(const std::map<Index, Element>& all, std::size_t dim,
                                            const Get& get) const {
    std::optional<std::size_t> matrix;
    for (const auto& [index, element] : all) {
      const auto part = selected(flow_, get(element));
      if (!part || part->dim != 0 || part->index != index[dim] || matrix.value_or(part->from) != part->from)
        return std::nullopt;
      matrix = part->from;
    }
    return matrix;
  }

  /// Recognizes a loop that writes dot products, either of one vector with each row of a matrix or
  /// of all pairs of rows of two matrices.
  std::optional<Origin> written_by_parts(std::size_t value) const {
    const auto all = elements(value);
    if (!all) return std::nullopt;
    const auto left = [](const Element& element) { return element.left; };
    const auto right = [](const Element& element) { return element.right; };
    if (flow_.shape(value).size() == 2) {
      if (auto origin = rows_by_rows(*all, left, right)) return origin;
      return rows_by_rows(*all, right, left);
    }
    if (auto origin = vector_by_rows(*all, left, right)) return origin;
    return vector_by_rows(*all, right, left);
  }

  template <class One, class Other>
  std::optional<Origin> rows_by_rows(const std::map<Index, Element>& all, const One& one,
                                     const Other& other) const {
    const auto left = matrix_of_rows(all, 0, one);
    const auto right = matrix_of_rows(all, 1, other);
    return left && right ? product(*left, *right, true) : std::nullopt;
  }

  template <class One, class Other>
  std::optional<Origin> vector_by_rows(const std::map<Index, Element>& all, const One& one,
                                       const Other& other) const {
    const auto rows = matrix_of_rows(all, 0, other);
    const auto vector = one(all.begin()->second);
    for (const auto& [index, element] : all) {
      if (one(element) != vector) return std::nullopt;
    }
    return rows ? product(vector, *rows, true) : std::nullopt;
  }

  /// Recognizes a loop that adds up the rows of a matrix, each times an element of a vector.
  std::optional<Origin> added_up(std::size_t value) const {
    std::optional<std::size_t> weights, matrix;
    std::map<std::int64_t, bool> rows;
    for (; operation_name(flow_, value) == "add"; value = flow_[value].inputs.front()) {
      const auto& inputs = flow_[value].inputs;
      const auto arguments = flow_.trace.inputs(flow_[value].operation);
      const bool is_plain =
          inputs.size() == 2 && arguments.size() == 3 && number_of(flow_, arguments[2], 0) == 1;
      if (!is_plain || flow_.name(flow_[inputs[1]]) != "mul" || flow_[inputs[1]].inputs.size() != 2)
        return std::nullopt;
      const auto weight = selected(flow_, flow_[inputs[1]].inputs[0]);
      const auto row = selected(flow_, flow_[inputs[1]].inputs[1]);
      if (!weight || !row || weight->index != row->index || row->dim != 0) return std::nullopt;
      if (weights.value_or(weight->from) != weight->from || matrix.value_or(row->from) != row->from)
        return std::nullopt;
      if (!rows.try_emplace(row->index, true).second) return std::nullopt;
      weights = weight->from;
      matrix = row->from;
    }
    const bool fits = weights && flow_.name(flow_[value]).starts_with("zeros") &&
                      flow_.shape(*weights).size() == 1 && flow_.shape(*matrix).size() == 2 &&
                      static_cast<std::int64_t>(rows.size()) == flow_.shape(*matrix)[0];
    return fits ? product(*weights, *matrix, false) : std::nullopt;
  }

  const Flow& flow_;
  const FindPicture& picture_of_;
};

}  // namespace

std::optional<Origin> origin_of(const Flow& flow, std::size_t value, const FindPicture& picture_of) {
  if (auto origin = Finder(flow, picture_of).origin_of(value)) return origin;
  auto formula = formula_of(flow, value, picture_of);
  if (!formula) return std::nullopt;
  return Origin{.kind = Origin::Kind::formula, .formula = std::move(*formula)};
}

}  // namespace torchbook::site
