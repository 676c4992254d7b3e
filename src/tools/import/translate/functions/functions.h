// Translates functions to lambdas of C++, whose parameters have the types of their calls, and functions that
// are arguments of others.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Returns the default value for an argument that a call leaves out.
Value default_value(Builder& b, const Node& node);

std::vector<cpp::Parameter> parameter_list(Builder& b, Function& function, const Node& node,
                                           const std::vector<Type>& types);
/// Whether a function or method computes no gradients. Throws NotPorted if it has another decorator.
bool is_without_gradients(Builder& b, const Node& function);

/// Completes a function with the effects, result and outer names of its translated body.
void end_function(Builder& b, const Node& node, Function& function, cpp::Stmts& body);

/// Defines a function, or a lambda that is assigned to a name.
void define(Builder& b, const Node& node, const std::string& name);

void return_value(Builder& b, const Node& node);
/// Emits a throw in place of code that has no translation and that Python's run did not reach.
void never_ran(Builder& b, int line, std::string_view head, std::string_view tail, const NotPorted& why);

/// Translates code by `write`. If the code `never` ran and cannot be translated, calls `on_failure` with the
/// reason instead.
void or_never_ran(Builder& b, bool never, const std::function<void()>& write,
                  const std::function<void(const NotPorted& why)>& on_failure);

/// Translates a function or class. If nothing used it, it needs no translation.
void definition(Builder& b, const Node& node);

/// Defines the function that any std::function of tensors is, as `tensor_function`.
void define_function_of_tensors(Builder& b, const char* key, const std::vector<std::string>& names);

/// Returns a function of the notebook that takes and returns a tensor as a std::function, which an object can
/// hold: `Images(transform=lambda x: x / 255)`. Returns other values as they are.
Value as_function_of_tensors(Builder& b, Value value);

/// Returns a function of PyTorch as a value: `torch.relu` in `{"relu": torch.relu}`, or `F.mse_loss`. Throws
/// NotPorted unless it maps one or two tensors to a tensor.
Value function_of_torch(Builder& b, const std::string& path);

/// Declares a variable for a lambda that is an argument. Its name, `lambda`, is a keyword of Python, so no
/// other variable has it.
Value lambda(Builder& b, const Node& node);

}  // namespace torchbook::translate
