// Translates torch.utils.data: data sets, and loaders that make batches of them.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `DataLoader(dataset, batch_size=32, shuffle=True)`
Value call_data(Builder& b, const std::string& name, const Arguments& arguments);

/// `dataset[0]`, also for a data set of the notebook
Value data_item(Builder& b, const Value& data, const Node& slice);
/// The length of a data set of torch, and of a loader.
Value data_length(Builder& b, const Value& data);

/// Returns the type of a data set of so many tensors.
Type tensor_dataset_type(std::size_t tensors);

/// Returns the type of a part of a data set. Throws NotPorted if its items are not known.
Type subset_type(Builder& b, const Type& dataset);

/// Returns the type of a loader of a data set. Throws NotPorted if its items are not known.
Type loader_type(Builder& b, const Type& dataset);

}  // namespace torchbook::translate
