// Translates conversions between tensors, Python lists and NumPy arrays.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `torch.from_numpy(array)`, `torch.as_tensor(array)` and `torch.tensor(array)`
Value tensor_of_array(Builder& b, std::string_view function, const Arguments& arguments);

/// `array.shape`, which is a tuple, `array.dtype`, `array.T`
Value array_attribute(Builder& b, const Value& array, std::string_view name);

/// `array.astype(np.float32)`, `array.reshape(2, 3)`, `array.tolist()`
Value array_method(Builder& b, const Value& array, std::string_view name, const Arguments& arguments);

/// `a + b` and `a < b` of arrays and numbers
Value array_binary(Builder& b, Ast operation, const Value& left, const Value& right);

/// `array += x`, which changes all arrays and tensors that share its memory
void change_array(Builder& b, Ast operation, const Value& array, const Value& value);

/// `array[1:, 0]`, `array[0]`, `array[array > 0]`. An element is a number of NumPy.
Value array_item(Builder& b, const Value& array, const Node& slice);

/// `for row in array`: arrays, or numbers of NumPy
Value array_rows(Builder& b, const Value& array);

/// Converts a number of NumPy to one that C++ computes with. Returns other values unchanged.
Value number_of_element(const Value& value);

/// Calls a function of NumPy. Those that create arrays have the names of PyTorch's.
Value call_numpy(Builder& b, std::string_view name, const Arguments& arguments);

/// `array[0].item()`
Value element_method(Builder& b, const Value& element, std::string_view name, const Arguments& arguments);
/// `array[0] + 1`
Value element_binary(Builder& b, Ast operation, const Value& left, const Value& right);

}  // namespace torchbook::translate
