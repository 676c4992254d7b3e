// Translates the functions and methods of PyTorch that LibTorch spells in another way.
#pragma once

#include <tools/import/translate/rows/row.h>

namespace torchbook::translate {

/// `torch.tensor([[1, 2], [3, 4]])`
Value tensor_literal(Builder& b, const Arguments& arguments);

/// `nn.Parameter(x)`: a leaf with the numbers of x.
Value parameter(Builder& b, const Arguments& arguments);

/// `torch.set_default_dtype(torch.float64)`, `torch.set_default_tensor_type(torch.DoubleTensor)`
Value set_default_dtype(Builder& b, const Node& call);

/// Returns the first `count` elements of a list of tensors as a tuple. `hint` is the name of the list.
Value tuple_of_list(Builder& b, std::string_view hint, const cpp::Expr& list, std::size_t count);

/// `torch.unique(x, return_inverse=True, return_counts=True)` and `x.unique()`
Value unique_of(Builder& b, const RowCall& given);

/// `torch.norm(x)` and `x.norm(p=2, dim=1)`. Which of LibTorch's functions Python calls depends on the
/// release.
Value norm_of(Builder& b, const RowCall& given);

/// Calls a function of torch that has a row; nullopt if it has none.
std::optional<Value> call_by_hand(Builder& b, std::string_view name, const Arguments& arguments);

}  // namespace torchbook::translate
