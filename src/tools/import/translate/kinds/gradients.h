// Translates computing gradients with autograd.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `x.backward(gradient, retain_graph=True)`
Value backward_of(Builder& b, const Value& tensor, const Arguments& arguments);

/// `torch.autograd.grad(y, x, create_graph=True)`: a tuple.
Value gradients_of(Builder& b, const Arguments& arguments);

}  // namespace torchbook::translate
