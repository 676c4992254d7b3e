// Recognizes mathematical operations in a trace: products, softmaxes, selections and transposes.
#pragma once

#include <tools/part/flow.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace torchbook::site {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names);

/// Returns the name of the operation that made a value, without an in-place suffix: `add` for
/// `add_`. Empty if it is unknown.
std::string_view operation_name(const trace_diff::Flow& flow, std::size_t value);

/// Returns the argument `index` of the operation that made a value, or nullopt if it is not a whole
/// number.
std::optional<std::int64_t> whole_argument(const trace_diff::Flow& flow, std::size_t value,
                                           std::size_t index);

/// Returns the number in an argument, or nullopt if it is none. The argument may be a number of the
/// program that was converted to a tensor; `value` is then its value in the flow.
std::optional<double> number_of(const trace_diff::Flow& flow, const trace_diff::Value& argument,
                                std::size_t value);

/// The part of a tensor at one index of a dimension.
struct Selected {
  std::size_t from = 0;
  std::int64_t dim = 0;
  std::int64_t index = 0;
};

/// Returns the selection of a value that is a view by one index, such as `x[2]` or a row of `x.unbind()`,
/// otherwise nullopt. The dimension and the index are not negative.
std::optional<Selected> selected(const trace_diff::Flow& flow, std::size_t value);

/// Returns the tensor whose last two dimensions a value transposes, or nullopt.
std::optional<std::size_t> transposed_from(const trace_diff::Flow& flow, std::size_t value);

/// Returns whether a value is a product of two matrices or vectors, with nothing added.
bool is_product(const trace_diff::Flow& flow, std::size_t value);

/// Returns whether a value is the result of a softmax.
bool is_softmax(const trace_diff::Flow& flow, std::size_t value);

}  // namespace torchbook::site
