// Translates the methods of tensors that LibTorch spells in another way.
#pragma once

#include <tools/import/translate/rows/row.h>

namespace torchbook::translate {

/// `x.item()`, of the type that it has in C++ if that is known
Value item_of_tensor(const Value& tensor);

/// `x.item()` of a tensor or an array
Value number_of_tensor(Builder& b, const RowCall& given);

/// `x.tolist()` of a tensor or an array. The depth of the list is known only at run time, so it can only be
/// printed, unless x is known to be a vector or a matrix.
Value list_of_tensor(Builder& b, const RowCall& given);

Value tensor_method(Builder& b, const Value& tensor, std::string_view name, const Arguments& arguments);
Value tensor_attribute(Builder& b, const Value& tensor, std::string_view name);
/// `device.type`
Value device_attribute(Builder& b, const Value& device, std::string_view name);

Value tensor_item(Builder& b, const Value& tensor, const Node& slice);
Value tensor_rows(Builder& b, const Value& tensor);
Value tensor_length(Builder& b, const Value& tensor);
cpp::Expr tensor_truth(Builder& b, const Value& tensor);
Value tensor_binary(Builder& b, Ast operation, const Value& left, const Value& right);

}  // namespace torchbook::translate
