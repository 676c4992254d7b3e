// Asks LibTorch for the signatures of its functions.
#pragma once

#include <tools/import/translate/cpp/expr.h>

#include <string>
#include <string_view>
#include <vector>

namespace torchbook::translate {

/// A parameter of a function.
struct SchemaParameter {
  std::string name;
  std::string type;          ///< of an element, without `?` and `[]`: `Tensor`, `int`, `Scalar`, `ScalarType`
  bool is_list = false;      ///< as `int[1]`
  bool takes_one = false;    ///< a list for which a call may pass one number, as `int[1]`
  bool is_optional = false;  ///< may be None
  bool keyword_only = false;
  bool required = true;
  cpp::Expr default_value{};  ///< the value if it is not given
  bool beside_bool = false;   ///< an overload has a bool in the place of this int
  bool beside_list = false;   ///< an overload has a list in the place of this int
  bool beside_str = false;    ///< an overload has a str in the place of this list
};

/// One of the signatures of a function.
struct Signature {
  std::vector<SchemaParameter> parameters{};
  std::vector<std::string> results{};       ///< types: `Tensor`, `Tensor[]`, `bool` …
  std::vector<std::string> result_names{};  ///< of the named tuple that Python returns; else empty
  bool takes_options = false;               ///< a factory: dtype, layout, device and pin_memory come last
  bool writes = false;                      ///< it changes an argument
  bool shares = false;                      ///< a result may share the memory of an argument
  bool draws = false;                       ///< it may draw random numbers
  bool has_out = false;                     ///< LibTorch has the function with `_out`, too
  bool has_named_twin = false;  ///< there is one more that takes the names of dimensions in place of numbers
};

/// Returns the signatures of LibTorch's function `name`, as `softmax`, that a notebook can call. Empty if
/// there is no such function.
const std::vector<Signature>& signatures_of(std::string_view name);

/// Returns the names of the fields of Python's `torch.return_types.<function>`; empty if there is
/// no such type.
std::vector<std::string> result_names_of(std::string_view function);

}  // namespace torchbook::translate
