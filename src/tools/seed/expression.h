// Parses the subset of Python that calls for random tensors need.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::seeds {

/// A name, a number, a string, a tuple or list, or a call.
struct Expression {
  enum class Kind { name, number, string, sequence, call };

  Kind kind = Kind::name;
  std::string text{};  ///< the last part of a dotted name, the digits of a number, or a string's characters
  std::vector<Expression>
      items{};  ///< of a sequence, or the arguments of a call; a method's object comes first
  std::map<std::string, Expression> named{};  ///< the keyword arguments of a call
};

/// The values of named whole numbers, such as 4 for `B`.
using Constants = std::map<std::string, std::int64_t, std::less<>>;

/// Reads an expression. Supports `+ - * // **` on whole numbers. A call of a module, such as
/// `Dropout(0.5)(x)`, becomes the call `Dropout(x, 0.5)`. Throws SeedError.
Expression read_expression(std::string_view text, const Constants& constants = {});

}  // namespace torchbook::seeds
