// Finds what a tensor was computed from, by computing it again.
#pragma once

#include <torchbook/notebook/recorded_tensor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace torchbook::report {

/// The elements of a tensor as numbers.
struct Numbers {
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::vector<double> values;  ///< in row-major order
};

/// Returns the elements as numbers, or nullopt for a dtype without real numbers.
std::optional<Numbers> numbers_of(const notebook::RecordedTensor& tensor);

/// One side of a product: a tensor, or a row of it.
struct Operand {
  std::size_t tensor = 0;             ///< an index into the candidates
  std::optional<std::int64_t> row{};  ///< the row of a matrix, if only that row takes part

  bool operator==(const Operand&) const = default;
};

/// How a tensor is computed from earlier ones.
struct Origin {
  enum class Kind {
    softmax,  ///< softmax of `left` along `dim`
    scaled,   ///< `left` divided by the square root of `divisor`
    product,  ///< `left @ right`, or `left @ right.mT` if `transposed`; of batches if a side has three dims
  };

  Kind kind = Kind::product;
  Operand left{};
  Operand right{};
  bool transposed = false;
  std::int64_t dim = 0;
  std::int64_t divisor = 0;

  bool operator==(const Origin&) const = default;
};

/// Returns how `tensor` was computed from `candidates`, the tensors before it, or nullopt if that is unknown.
///
/// Each possible way is computed in double. It counts only if it gives every element up to the rounding
/// errors of the tensor's dtype; integers must be equal. Softmaxes are tried before quotients, quotients
/// before products, and later candidates before earlier ones.
///
/// Nothing is claimed if chance could explain it: if the tensor has fewer than two different values, if it is
/// an operand of its product, or if it is a product with a vector that picks a row.
std::optional<Origin> find_origin(const Numbers& tensor, std::span<const Numbers> candidates);

}  // namespace torchbook::report
