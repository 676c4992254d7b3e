// What a tensor was computed from: found by computing it again.
#pragma once

#include <torchbook/notebook/recorded_tensor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace torchbook::report {

/// A tensor's elements as numbers.
struct Numbers {
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::vector<double> values;  ///< in row-major order
};

/// nullopt for a dtype without real numbers.
std::optional<Numbers> numbers(const notebook::RecordedTensor& tensor);

/// One side of a product: a tensor, or one of its rows.
struct Operand {
  std::size_t tensor = 0;             ///< an index into the candidates
  std::optional<std::int64_t> row{};  ///< of a matrix, where only that row takes part

  bool operator==(const Operand&) const = default;
};

/// How a tensor comes from earlier ones.
struct Origin {
  enum class Kind {
    softmax,  ///< softmax of `left` along `dim`
    scaled,   ///< `left`, divided by the square root of `divisor`
    product,  ///< `left @ right`, or `left @ right.mT` where `transposed`; of batches, if a side has three
              ///< dims
  };

  Kind kind = Kind::product;
  Operand left{};
  Operand right{};
  bool transposed = false;
  std::int64_t dim = 0;
  std::int64_t divisor = 0;

  bool operator==(const Origin&) const = default;
};

/// What `tensor` was computed from among `candidates`, the tensors before it. Each possible way is computed
/// in double, and only one that gives every element, to the rounding errors of the tensor's dtype, counts;
/// integers must be equal. A softmax is looked for before a quotient before a product, and each among the
/// latest candidates first. Nothing is claimed of a tensor that chance could explain: one of less than two
/// different values, one that is an operand of its product, or a product with a vector that picks a row.
std::optional<Origin> find_origin(const Numbers& tensor, std::span<const Numbers> candidates);

}  // namespace torchbook::report
