// Looks up the types of Python's run, and what it shows of functions and classes that are defined below.
#pragma once

#include <tools/import/translate/core/builder.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::translate {

/// Returns the type of a parameter, a result or an attribute that had all of these types; nullopt if there
/// were none or C++ has no common one. If `first`, leaves out those that have none with the first ones.
std::optional<Type> common_of(Builder& b, const std::vector<SeenType>& seen, bool first = false);

/// Returns the common type of a name in Python's run; nullopt if there is none.
std::optional<Type> common_of(Builder& b, const SeenTypes& types, const std::string& name,
                              bool first = false);

/// Returns the types of the values that Python's run had at a place of a cell, as far as they are known.
std::vector<Type> seen_at(Builder& b, std::size_t cell, int line, int column);

/// Returns the calls of a function in Python's run; nullptr if there was none. `cell` becomes that of its
/// definition.
const CalledFunction* called_with_key(Builder& b, const std::string& key, std::size_t& cell);

/// Returns a function that is defined below. Throws NotPorted if Python's run did not call it.
Function& function_below(Builder& b, const std::string& key);

}  // namespace torchbook::translate
