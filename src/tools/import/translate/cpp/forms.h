#pragma once

#include <tools/import/translate/cpp/expr.h>

/// Expressions that one construct emits and another one looks for. Both use one constant, so that neither can
/// be respelled alone. `tests/structure` checks that no text of an expression is compared elsewhere.
namespace torchbook::translate::cpp::form {

// calls
inline constexpr Form device{Kind::call, "torch::Device"};
inline constexpr Form device_options{Kind::call, "torch::device"};
inline constexpr Form divisor{Kind::call, "python::divisor"};
inline constexpr Form element{Kind::call, "python::at"};
inline constexpr Form f{Kind::call, "f"};
inline constexpr Form joined{Kind::call, "python::joined"};
inline constexpr Form manual_seed{Kind::call, "torch::manual_seed"};
inline constexpr Form power{Kind::call, "python::power"};
inline constexpr Form range{Kind::call, "python::range"};
inline constexpr Form shape{Kind::call, "torchbook::shape"};
inline constexpr Form std_string{Kind::call, "std::string"};

// methods of LibTorch and of the standard library
inline constexpr Form at{Kind::method, "at"};
inline constexpr Form cuda{Kind::method, "cuda"};
inline constexpr Form data{Kind::method, "data"};
inline constexpr Form device_of_options{Kind::method, "device"};
inline constexpr Form empty{Kind::method, "empty"};
inline constexpr Form item{Kind::method, "item"};
inline constexpr Form items{Kind::method, "items"};
inline constexpr Form keys{Kind::method, "keys"};
inline constexpr Form parameters{Kind::method, "parameters"};
inline constexpr Form push_back{Kind::method, "push_back"};
inline constexpr Form requires_grad_in_place{Kind::method, "requires_grad_"};
inline constexpr Form to{Kind::method, "to"};
inline constexpr Form value_of_optional{Kind::method, "value"};

// others
inline constexpr Form dereferenced{Kind::unary, "*"};
inline constexpr Form negation{Kind::unary, "!"};
inline constexpr Form negative{Kind::unary, "-"};
inline constexpr Form nested_list{Kind::braces, "torchbook::NestedList"};
inline constexpr Form one{Kind::number, "1"};
inline constexpr Form self{Kind::name, "this"};
inline constexpr Form text_of_f{Kind::member, "text"};
inline constexpr Form untyped{Kind::braces, ""};

}  // namespace torchbook::translate::cpp::form
