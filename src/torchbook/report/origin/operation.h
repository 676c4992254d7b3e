// Reads the operations of a trace as mathematics.
#pragma once

#include <torchbook/part/flow.h>

#include <optional>
#include <string>
#include <string_view>

namespace torchbook::report {

/// Returns the name of the operation that made a value, as one that writes no operand: `add` for `add_`.
/// Empty if it is unknown.
std::string_view operation_name(const part::Flow& flow, std::size_t value);

/// Returns a whole number that the operation of a value took as argument `index`, or nullopt.
std::optional<std::int64_t> whole_argument(const part::Flow& flow, std::size_t value, std::size_t index);

/// Returns the number that an argument is: also if a tensor represents a number of the program.
std::optional<double> number_of(const part::Flow& flow, const part::Value& argument, std::size_t value);

/// A part of a tensor along one of its dimensions.
struct Selected {
  std::size_t from = 0;
  std::int64_t dim = 0;
  std::int64_t index = 0;
};

/// Returns what a value selects if it is a view by one index, `x[2]`, otherwise nullopt. Dimension and index
/// are not negative.
std::optional<Selected> selected(const part::Flow& flow, std::size_t value);

/// Returns the tensor of which a value is the transpose of the last two dimensions, or nullopt.
std::optional<std::size_t> transposed_from(const part::Flow& flow, std::size_t value);

/// Returns whether an operation is a product of two matrices or vectors, and nothing else.
bool is_product(const part::Flow& flow, std::size_t value);

/// Returns whether an operation is a softmax.
bool is_softmax(const part::Flow& flow, std::size_t value);

}  // namespace torchbook::report
