// Translates methods and attributes of objects: a state_dict, a data set, a loader and its batches.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `copy.deepcopy(model.state_dict())`
Value copy_of_state(const Arguments& arguments);

Value object_method(Builder& b, const Value& object, std::string_view name, const Arguments& arguments);
Value object_attribute(Builder& b, const Value& object, std::string_view name);
/// Whether it is `group["lr"]` for a group of an optimizer's parameters.
bool rate_of(const Value& object, const Node& slice);

/// `weights["0.bias"]`, `dataset[0]`
Value object_item(Builder& b, const Value& object, const Node& slice);

/// `next(iter(loader))`, `next(model.parameters())`
Value next_of(Builder& b, const Node& node);

/// `iter(loader)`
Value iterator_of(const Value& from);

Value object_rows(Builder& b, const Value& object);
/// `len(dataset)`
Value object_length(Builder& b, const Value& object);

}  // namespace torchbook::translate
