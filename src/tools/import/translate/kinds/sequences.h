// Translates operations on all sequences: slices, pairs, copies.
#pragma once

#include <tools/import/translate/core/builder.h>

namespace torchbook::translate {

/// Returns a list that has a type in C++. A literal gets one.
Value typed(Builder& b, const Value& list, const Type& fallback);

/// `values[1:]` of a list or a str
Value slice_of(Builder& b, const Value& from, const Node& slice);

/// `list(range(3))`, and any range that does not become a counting loop.
Value numbers_of_range(const std::vector<Value>& bounds);

/// Calls a built-in function of sequences; nullopt if it is another function.
std::optional<Value> call_of_sequence(Builder& b, std::string_view name, const Node& node);

/// `value in values`, by C++'s algorithm, by a method of the values, and by a loop over the rows.
Value found_in(const Value& value, const cpp::Expr& all);
Value found_by_method(const Value& value, const Value& values);
Value found_in_rows(Builder& b, const Value& value, const Value& values);

/// `a + b` of lists, tuples and sizes, and `a * 3` of a list
Value sequence_binary(Builder& b, Ast operation, const Value& left, const Value& right);

}  // namespace torchbook::translate
