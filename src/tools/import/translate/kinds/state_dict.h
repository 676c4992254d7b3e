// Translates a state_dict: the weights of a module by name.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `copy.deepcopy(model.state_dict())`
Value copy_of_state(const Arguments& arguments);

Value state_dict_method(Builder& b, const Value& state, std::string_view name, const Arguments& arguments);
/// `weights["0.bias"]`
Value state_dict_item(Builder& b, const Value& state, const Node& slice);
Value state_dict_rows(Builder& b, const Value& state);

}  // namespace torchbook::translate
