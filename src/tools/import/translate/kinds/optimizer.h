// Translates initializers of weights, optimizers, and schedulers of the learning rate.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `nn.init.normal_(w, mean=0.0, std=0.02)`
Value call_init(Builder& b, const std::string& name, const Arguments& arguments);

Value call_optimizer(Builder& b, const std::string& name, const Arguments& arguments);
/// `LambdaLR(optimizer, lr_lambda=lambda epoch: 0.95 ** epoch)`
Value rate_by_function(Builder& b, const Node& node);

/// `clip_grad_norm_(model.parameters(), max_norm=1.0)`
Value clip_gradients(Builder& b, const Arguments& arguments);

Value optimizer_method(Builder& b, const Value& optimizer, std::string_view name, const Arguments& arguments);
Value optimizer_attribute(Builder& b, const Value& optimizer, std::string_view name);

/// `group["lr"]` of a group of an optimizer's parameters
Value parameter_group_item(Builder& b, const Value& group, const Node& slice);
void assign_parameter_group_item(Builder& b, const Value& group, const Node& target, const Value& value);

}  // namespace torchbook::translate
