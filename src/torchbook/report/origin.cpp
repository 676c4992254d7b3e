// Tries softmaxes, quotients and products.
#include <torchbook/report/origin.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace torchbook::report {
namespace {

constexpr std::size_t largest_rank = 3;
constexpr double largest_divisor = 1 << 16;
constexpr double steps_of_the_same = 16;  // so few operations cannot turn a tensor into different numbers

/// Returns the relative error of one operation: half the distance from 1 to the next value of a dtype.
/// Returns 0 for integers, and nullopt for types too coarse to exclude chance.
std::optional<double> rounding(const std::string& dtype) {
  if (dtype == "torch.float32") return 0x1p-24;
  if (dtype == "torch.float64") return 0x1p-53;
  if (dtype.starts_with("torch.int") || dtype == "torch.uint8") return 0.0;
  return std::nullopt;
}

/// A tensor whose origin is searched.
struct Target {
  const Numbers& numbers;
  double unit;  // the relative error of one operation

  /// Returns whether a finite `value` agrees with the element. `size` is the sum of its terms' magnitudes,
  /// and `steps` the number of operations that computed it.
  bool agrees(std::size_t element, double value, double size, double steps) const {
    return std::isfinite(value) && std::fabs(numbers.values[element] - value) <= unit * steps * size;
  }
};

// ------------------------------------------------------------ softmax

/// The elements along one dimension: `count` of them, `step` apart, from `first`.
struct Line {
  std::size_t first, step, count;
};

std::vector<Line> lines_along(const std::vector<std::int64_t>& shape, std::size_t dim) {
  std::size_t step = 1, total = 1;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    total *= static_cast<std::size_t>(shape[d]);
    if (d > dim) step *= static_cast<std::size_t>(shape[d]);
  }
  const auto count = static_cast<std::size_t>(shape[dim]);
  std::vector<Line> lines;
  for (std::size_t first = 0; first < total; ++first) {
    if (first / step % count == 0) lines.push_back({first, step, count});
  }
  return lines;
}

bool is_softmax_along(const Target& target, const Numbers& scores, const Line& line) {
  const auto score = [&](std::size_t i) { return scores.values[line.first + i * line.step]; };
  double highest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < line.count; ++i) highest = std::max(highest, score(i));
  double sum = 0;
  for (std::size_t i = 0; i < line.count; ++i) sum += std::exp(score(i) - highest);
  for (std::size_t i = 0; i < line.count; ++i) {
    const double weight = std::exp(score(i) - highest) / sum;
    // The difference is rounded before its exponential is computed, which turns its size into relative error.
    const double steps = 8 + static_cast<double>(line.count) + 2 * std::min(highest - score(i), 1e3);
    if (!target.agrees(line.first + i * line.step, weight, weight, steps)) return false;
  }
  return true;
}

bool is_softmax(const Target& target, const Numbers& scores, std::size_t dim) {
  const auto lines = lines_along(scores.shape, dim);
  return std::all_of(lines.begin(), lines.end(),
                     [&](const Line& line) { return is_softmax_along(target, scores, line); });
}

std::optional<Origin> softmax_of(const Target& target, const Numbers& scores, std::size_t candidate) {
  if (target.unit == 0 || scores.shape != target.numbers.shape) return std::nullopt;
  for (std::size_t dim = 0; dim < scores.shape.size(); ++dim) {
    if (scores.shape[dim] > 1 && is_softmax(target, scores, dim)) {
      return Origin{.kind = Origin::Kind::softmax,
                    .left = {.tensor = candidate},
                    .dim = static_cast<std::int64_t>(dim)};
    }
  }
  return std::nullopt;
}

// ------------------------------------------------------------ quotient

std::optional<Origin> scaled(const Target& target, const Numbers& from, std::size_t candidate) {
  if (target.unit == 0 || from.shape != target.numbers.shape) return std::nullopt;
  const auto& values = target.numbers.values;
  const auto largest = static_cast<std::size_t>(
      std::max_element(values.begin(), values.end(),
                       [](double a, double b) { return std::fabs(a) < std::fabs(b); }) -
      values.begin());
  const double ratio = from.values[largest] / values[largest];
  const double divisor = std::round(ratio * ratio);
  if (!(ratio > 0 && divisor >= 2 && divisor <= largest_divisor)) return std::nullopt;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = from.values[i] / std::sqrt(divisor);
    if (!target.agrees(i, value, std::fabs(value), 4)) return std::nullopt;
  }
  return Origin{.kind = Origin::Kind::scaled,
                .left = {.tensor = candidate},
                .divisor = static_cast<std::int64_t>(divisor)};
}

// ------------------------------------------------------------ product

/// An operand as a matrix. A vector on the left is a row, one on the right a column. An operand of three
/// dimensions is a batch of matrices. A batch of one, or an operand of fewer dimensions, is repeated in a
/// larger batch.
struct Matrix {
  const double* values;
  std::size_t rows, columns;
  std::size_t row_step, column_step;
  bool vector;
  std::size_t batches;  // 0 if it has no dimension for batches
  std::size_t batch_step;

  double at(std::size_t batch, std::size_t row, std::size_t column) const {
    return values[batch * batch_step + row * row_step + column * column_step];
  }
  Matrix transposed() const {
    return {values, columns, rows, column_step, row_step, vector, batches, batch_step};
  }
};

Matrix matrix(const Numbers& numbers, const Operand& operand) {
  const auto& shape = numbers.shape;
  const bool vector = shape.size() == 1 || operand.row.has_value();
  const bool batched = shape.size() == 3;
  const auto columns = static_cast<std::size_t>(shape.back());
  const auto rows = vector ? 1 : static_cast<std::size_t>(shape[shape.size() - 2]);
  return {numbers.values.data() + static_cast<std::size_t>(operand.row.value_or(0)) * columns,
          rows,
          columns,
          columns,
          1,
          vector,
          batched ? static_cast<std::size_t>(shape.front()) : 0,
          batched && shape.front() != 1 ? rows * columns : 0};
}

/// Returns whether a vector has at most one element that is not 0. A product with it picks a row, which needs
/// no explanation.
bool picks(const Matrix& vector) {
  std::size_t others = 0;
  for (std::size_t i = 0; i < vector.columns; ++i) others += vector.at(0, 0, i) != 0 ? 1U : 0U;
  return others < 2;
}

/// Returns the shape of a product, or nullopt if the two cannot be multiplied.
std::optional<std::vector<std::int64_t>> shape_of_product(const Matrix& left, const Matrix& right) {
  if (left.columns != right.rows || left.columns < 2) return std::nullopt;
  if (left.batches > 1 && right.batches > 1 && left.batches != right.batches) return std::nullopt;
  std::vector<std::int64_t> shape;
  const auto add = [&](std::size_t length) { shape.push_back(static_cast<std::int64_t>(length)); };
  if (left.batches != 0 || right.batches != 0) add(std::max(left.batches, right.batches));
  if (!left.vector) add(left.rows);
  if (!right.vector) add(right.columns);
  return shape;
}

bool is_entry(const Target& target, std::size_t element, const Matrix& left, const Matrix& right) {
  const std::size_t batch = element / (left.rows * right.columns);
  const std::size_t row = element / right.columns % left.rows;
  const std::size_t column = element % right.columns;
  double sum = 0, size = 0;
  for (std::size_t k = 0; k < left.columns; ++k) {
    const double term = left.at(batch, row, k) * right.at(batch, k, column);
    sum += term;
    size += std::fabs(term);
  }
  return target.agrees(element, sum, size, static_cast<double>(left.columns) + 1);
}

bool is_product(const Target& target, const Matrix& left, const Matrix& right) {
  if (shape_of_product(left, right) != target.numbers.shape) return false;
  for (std::size_t i = 0; i < target.numbers.values.size(); ++i) {
    if (!is_entry(target, i, left, right)) return false;
  }
  return true;
}

/// A possible side of a product.
struct Side {
  Operand operand;
  Matrix matrix;
};

/// Returns whether a tensor has the same numbers as the target, so that it explains nothing.
bool is_same(const Target& target, const Numbers& numbers) {
  if (numbers.shape != target.numbers.shape) return false;
  for (std::size_t i = 0; i < numbers.values.size(); ++i) {
    const double value = numbers.values[i];
    if (!target.agrees(i, value, std::fabs(value), steps_of_the_same)) return false;
  }
  return true;
}

/// The possible sides of a product, the latest first.
struct Sides {
  std::vector<Side> matrices;
  std::vector<Side> vectors;  // with the rows of matrices if the product is a vector
};

Sides sides(const Target& target, std::span<const Numbers> candidates) {
  Sides all;
  const auto add = [&](const Operand& operand) {
    const Matrix side = matrix(candidates[operand.tensor], operand);
    if (!side.vector) all.matrices.push_back({operand, side});
    if (side.vector && !picks(side)) all.vectors.push_back({operand, side});
  };
  const bool with_rows = target.numbers.shape.size() == 1;
  for (std::size_t index = candidates.size(); index-- > 0;) {
    const auto& shape = candidates[index].shape;
    if (shape.empty() || shape.size() > largest_rank || is_same(target, candidates[index])) continue;
    add({.tensor = index});
    if (!with_rows || shape.size() != 2) continue;
    for (std::int64_t row = 0; row < shape[0]; ++row) add({.tensor = index, .row = row});
  }
  return all;
}

std::optional<Origin> product_of(const Target& target, const Side& left, const Side& right) {
  const Matrix& b = right.matrix;
  for (const bool transposed : {false, true}) {
    if (b.vector && transposed) continue;
    if (!is_product(target, left.matrix, b.vector || transposed ? b.transposed() : b)) continue;
    return Origin{.kind = Origin::Kind::product,
                  .left = left.operand,
                  .right = right.operand,
                  .transposed = transposed};
  }
  return std::nullopt;
}

std::optional<Origin> first_product(const Target& target, const std::vector<Side>& left,
                                    const std::vector<Side>& right) {
  for (const Side& one : left) {
    for (const Side& other : right) {
      if (auto origin = product_of(target, one, other)) return origin;
    }
  }
  return std::nullopt;
}

/// Finds a product. It tries a vector times a matrix before a matrix times a vector, because in attention the
/// rows are tokens, and the tokens are multiplied.
std::optional<Origin> product(const Target& target, std::span<const Numbers> candidates) {
  const auto [matrices, vectors] = sides(target, candidates);
  if (auto origin = first_product(target, vectors, matrices)) return origin;
  if (auto origin = first_product(target, matrices, matrices)) return origin;
  return first_product(target, matrices, vectors);
}

bool could_be_chance(const Numbers& numbers) {
  const auto& values = numbers.values;
  const bool finite =
      std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
  return !finite || values.empty() ||
         std::all_of(values.begin(), values.end(), [&](double value) { return value == values.front(); });
}

}  // namespace

std::optional<Numbers> numbers_of(const notebook::RecordedTensor& tensor) {
  auto elements = notebook::elements_of(tensor);
  if (!elements) return std::nullopt;
  return Numbers{.dtype = tensor.dtype, .shape = tensor.shape, .values = std::move(*elements)};
}

std::optional<Origin> find_origin(const Numbers& tensor, std::span<const Numbers> candidates) {
  const auto unit = rounding(tensor.dtype);
  if (!unit || tensor.shape.empty() || tensor.shape.size() > largest_rank || could_be_chance(tensor)) {
    return std::nullopt;
  }
  const Target target{tensor, *unit};
  for (const auto way : {softmax_of, scaled}) {
    for (std::size_t index = candidates.size(); index-- > 0;) {
      if (auto origin = way(target, candidates[index], index)) return origin;
    }
  }
  return product(target, candidates);
}

}  // namespace torchbook::report
