// Translates the layers of PyTorch: their constructors and attributes.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `nn.Sequential(*layers, nn.Linear(2, 3))`
Value sequential_of_parts(Builder& b, const std::vector<Node>& parts);

/// Returns the list of `OrderedDict([("hidden", layer), …])` that nn.Sequential takes; nullopt for anything
/// else.
std::optional<Node> named_parts(Builder& b, const Node& call);

/// `nn.Sequential(OrderedDict([("hidden", nn.Linear(2, 3))]))`
Value sequential_of_names(Builder& b, const Node& pairs);

/// `self.layers.append(nn.Linear(2, 3))`
Value append_module(Builder& b, const Value& list, const Value& module);

/// `net.add_module("hidden", nn.Linear(2, 3))` of an nn.Sequential whose parts are not known
Value add_to_sequential(Builder& b, const Value& row, const Arguments& arguments);

Value call_nn(Builder& b, const std::string& name, const Arguments& arguments);

}  // namespace torchbook::translate
