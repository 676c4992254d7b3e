// Translates indices and slices.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// The index in `x[…]`: an int, or the list of indices that LibTorch takes.
struct Index {
  cpp::Expr code{};
  bool is_one = false;  ///< it is an int
};

/// Translates the index in `x[…]`.
Index index_of(Builder& b, const Node& slice);

cpp::Expr slice_bound(Builder& b, const std::optional<Node>& bound);
cpp::Expr index(Builder& b, const Node& node);
Value subscript(Builder& b, const Node& node);
/// Returns an element whose index is known only at run time. A negative index counts from the end.
cpp::Expr checked_element(Builder& b, const Value& sequence, const Value& at);

/// Returns an index. A tensor is read as an int: Python refuses other tensors here.
Value place_of(Builder& b, const Node& slice);

/// Returns a place that is written out, as `2` or `-1`.
Value place_written(const std::string& at);

/// `x[1:, 0] = 3` of a tensor or an array
void assign_tensor_item(Builder& b, const Value& to, const Node& target, const Value& value);

}  // namespace torchbook::translate
