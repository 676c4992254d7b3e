// Translates classes whose objects meet in a list: they derive from an abstract class of C++, which has the
// methods and attributes that the notebook uses without knowing the class.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Gives a common base to classes whose objects were in one list in Python's run. `definitions` has the
/// classes of the notebook.
void note_meetings(Builder& b, const std::map<std::string, Node>& definitions);

/// Returns the common base of the class with this key; nullptr if it has none.
const CommonBase* common_base_of(const Builder& b, const std::string& key);

/// Returns the method of the common base that a method overrides; nullptr if there is none.
const Function* overridden(Builder& b, const NewClass& made, std::string_view name);

/// Whether C++ knows the names of all classes in a type already.
bool knows_classes_in(Builder& b, const Type& type);

/// Makes a class derive from its common base, if it has one. The base is declared above the first of its
/// classes.
void derive_from_common_base(Builder& b, NewClass& made);

/// Returns the class that a test names, as the class of an object held through a common base.
Type class_in_base(Builder& b, const NewClass& base, const Node& named);

/// `isinstance(layer, Linear)` for an object of a common base; nullopt for another value
std::optional<Value> is_of_class(Builder& b, const Value& object, const Node& named);

}  // namespace torchbook::translate
