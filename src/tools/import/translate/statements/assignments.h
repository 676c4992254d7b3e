// Translates assignments to names, elements, attributes and several names at once.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Whether a class reads a name of the notebook, directly or through a function that it calls.
bool is_read_by_classes(Builder& b, const std::string& name);

void assign(Builder& b, const Node& node);
/// Whether a variable of C++ can be assigned a value of the type. Notes it if the variable is an
/// nn.Parameter only sometimes.
bool can_assign(Builder& b, const std::string& name, Variable& variable, const Type& type);

void assign_name(Builder& b, const Node& target, const Value& given);
/// Declares a new variable for a name, whose definition is at `target`.
void declare_name(Builder& b, const Node& target, const std::string& name, const Value& value);
/// Declares a name that blocks assign and later lines read.
Variable& declare_above(Builder& b, const std::string& name, const Type& type);

/// Declares a static variable. A statement of its own assigns it, so that every run of the notebook
/// does.
void declare_static(Builder& b, Variable& variable, const cpp::Expr& value);

}  // namespace torchbook::translate
