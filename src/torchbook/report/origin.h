// Says what a tensor was computed from: the operation that gave it.
#pragma once

#include <torchbook/notebook/recorded_tensor.h>
#include <torchbook/part/flow.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
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

/// One side of a product: a picture, or a row of it.
struct Operand {
  std::size_t tensor = 0;             ///< an index into the pictures
  std::optional<std::int64_t> row{};  ///< the row of a matrix, if only that row takes part

  bool operator==(const Operand&) const = default;
};

/// A piece of a formula: some text, and the picture that is named behind it.
struct FormulaPart {
  std::string text{};
  std::optional<std::size_t> tensor{};

  bool operator==(const FormulaPart&) const = default;
};

/// How a tensor was computed from others.
struct Origin {
  enum class Kind {
    softmax,  ///< softmax of `left` along `dim`
    scaled,   ///< `left` divided by the number `divisor`
    product,  ///< `left @ right`, or `left @ right.mT` if `transposed`; of batches if a side has three dims
    formula,  ///< whatever else `formula` says
  };

  Kind kind = Kind::product;
  Operand left{};
  Operand right{};
  bool transposed = false;
  std::int64_t dim = 0;
  bool by_hand =
      false;  ///< a softmax written as `exp(x) / exp(x).sum(dim)`, so no largest score is taken off
  std::string divisor{};  ///< `2`, or `√24`
  std::vector<FormulaPart> formula{};

  bool operator==(const Origin&) const = default;
};

/// Returns the picture of a value of the trace, if there is one that comes before what is explained.
using FindPicture = std::function<std::optional<std::size_t>(std::size_t value)>;

/// Returns how `value` was computed from pictures, or nullopt if that is unknown or too long to be read.
///
/// The operations say it. A loop that writes each element of a tensor as a dot product made a product, and so
/// did one that adds up rows times numbers. A quotient of exponentials and their sum is a softmax, if the
/// sums are those of the elements that they divide.
std::optional<Origin> origin_of(const part::Flow& flow, std::size_t value, const FindPicture& picture_of);

}  // namespace torchbook::report
