// Reads the little Python that a call which draws consists of.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::seeds {

/// A name, a number, a tuple or list, or a call.
struct Expression {
  enum class Kind { name, number, sequence, call };

  Kind kind = Kind::name;
  std::string text{};  ///< the last part of a dotted name, or the digits of a number
  std::vector<Expression>
      items{};  ///< of a sequence, or the arguments of a call; a method's object comes first
  std::map<std::string, Expression> named{};  ///< the keyword arguments of a call
};

/// Reads an expression. Throws SeedError.
Expression read_expression(std::string_view text);

}  // namespace torchbook::seeds
