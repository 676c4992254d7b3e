// Translates torch.utils.data: data sets, and loaders that make batches of them.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `dataset[3]`
Value item_at(Builder& b, const Value& dataset, const Value& place);

/// `DataLoader(dataset, batch_size=32, shuffle=True)`
Value call_data(Builder& b, const std::string& name, const Arguments& arguments);

Value data_set_item(Builder& b, const Value& data, const Node& slice);
Value data_set_length(Builder& b, const Value& data);

}  // namespace torchbook::translate
