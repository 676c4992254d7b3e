// Translates loaders of batches, and iterators over them.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// `next(iter(loader))`, `next(model.parameters())`
Value next_of(Builder& b, const Node& node);

/// `iter(loader)`
Value iterator_of(const Value& from);

Value loader_attribute(Builder& b, const Value& loader, std::string_view name);
Value loader_rows(Builder& b, const Value& loader);

}  // namespace torchbook::translate
