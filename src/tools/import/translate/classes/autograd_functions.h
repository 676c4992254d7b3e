// Translates classes that derive from torch.autograd.Function to structs with static methods.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `ctx.scale = scale`
void assign_to_context(Builder& b, const Value& context, const std::string& name, const Value& value);

Value attribute_of_context(Builder& b, const Value& context, std::string_view name);
/// `ctx.save_for_backward(x, y)`
Value method_of_context(Builder& b, const Value& context, std::string_view name, const Arguments& arguments);

/// Emits the return of `forward` or `backward`: tensors, and None for no gradient.
void return_to_autograd(Builder& b, const Node& node);

/// `class Double(torch.autograd.Function):`
void define_autograd_function(Builder& b, const Node& node);

/// Throws NotPorted if a value is the `apply` of a class, which is no value in C++.
void refuse_template(Builder& b, const Type& type);

/// `Double.apply`
Value apply_of(const NewClass& made);

}  // namespace torchbook::translate
