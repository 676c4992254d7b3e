// Translates the functions and methods of PyTorch that LibTorch spells in another way.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `torch.tensor([[1, 2], [3, 4]])`
Value tensor_literal(Builder& b, const Arguments& arguments);

/// `nn.Parameter(x)`: a leaf with the numbers of x.
Value parameter(Builder& b, const Arguments& arguments);

/// `Variable(x, requires_grad=True)`: how a tensor got gradients in old releases of PyTorch.
Value variable_of(const Arguments& arguments);

/// `torch.set_default_dtype(torch.float64)`, `torch.set_default_tensor_type(torch.DoubleTensor)`
Value set_default_dtype(Builder& b, const Node& call);

/// `torch.FloatTensor([1, 2])` and `torch.Tensor(2, 3)`; nullopt if it is another function.
std::optional<Value> call_typed_tensor(Builder& b, std::string_view name, const Arguments& arguments);

/// Returns the first `count` elements of a list of tensors as a tuple. `wish` is the name of the list.
Value tuple_of_list(Builder& b, std::string_view wish, const cpp::Expr& list, std::size_t count);

/// `torch.unique(x, return_inverse=True, return_counts=True)`
Value unique_of(Builder& b, const Arguments& arguments);

/// `torch.meshgrid(a, b, indexing="ij")`
Value meshgrid_of(Builder& b, const Arguments& arguments);

std::optional<Value> call_special(Builder& b, std::string_view name, const Arguments& arguments);

}  // namespace torchbook::translate
