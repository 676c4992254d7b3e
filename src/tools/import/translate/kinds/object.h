// Translates methods and attributes of objects of the notebook's classes.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

Value object_method(Builder& b, const Value& object, std::string_view name, const Arguments& arguments);
Value object_attribute(Builder& b, const Value& object, std::string_view name);
/// `len(dataset)`
Value object_length(Builder& b, const Value& object);

}  // namespace torchbook::translate
