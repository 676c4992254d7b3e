// Translates loaders of batches, and iterators over them.
#pragma once

#include <tools/import/translate/rows/row.h>

namespace torchbook::translate {

/// `next(iter(loader))`, `next(model.parameters())`
Value next_of(Builder& b, const Node& node);

/// `iter(loader)`
Value iterator_of(Builder& b, const RowCall& given);

Value loader_attribute(Builder& b, const Value& loader, std::string_view name);
Value loader_rows(Builder& b, const Value& loader);

}  // namespace torchbook::translate
