// Translates the methods of tensors that LibTorch spells in another way.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Returns the kind of the numbers in a tensor; scalar if it is not known.
Kind kind_of_numbers(Builder& b, const Value& tensor);

/// `x.item()`, of the type that it has in C++ if that is known
Value item_of_tensor(Builder& b, const Value& tensor);

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
