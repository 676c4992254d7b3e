// Defines a row of a table of Python's functions or methods.
#pragma once

#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/match.h>

namespace torchbook::translate {

/// A call of a function that has a row.
struct RowCall {
  const std::vector<CallParameter>& parameters;  ///< of the row
  std::string_view name;                         ///< of the function or method
  std::string_view whole;                        ///< its name in messages
  const Arguments& arguments;
  std::vector<const Value*> values{};  ///< by the parameters of the row; nullptr for one that is left out

  /// `const auto [base, exponent] = given.as<2>();`
  template <std::size_t count>
  std::array<const Value*, count> as() const {
    std::array<const Value*, count> all{};
    std::copy_n(values.begin(), count, all.begin());
    return all;
  }
  /// Returns an argument in C++, or the default value of its parameter.
  cpp::Expr code(Builder& b, std::size_t place) const;
  [[noreturn]] void refuse_form() const { refuse("{} is called in a form that is not translated", whole); }
};

/// How a call of a row is written in C++. By default, it becomes nothing.
struct Spelling {
  Spelling() = default;
  // NOLINTBEGIN(google-explicit-constructor): a table has the text or function itself
  Spelling(const char* text) : code(text) {}
  Spelling(const cpp::Form& call) : code(call.text) {}
  Spelling(Value (*made_by)(Builder& b, const RowCall& given)) : function(made_by) {}
  // NOLINTEND(google-explicit-constructor)

  std::string_view code{};  ///< a function, or `.method` of the first argument; `{}` is replaced by the name
  Value (*function)(Builder& b, const RowCall& given) = nullptr;  ///< for calls that no code can express
};

/// Functions or methods of Python.
struct Row {
  std::string_view names;                   ///< without the module, with a space between
  std::vector<CallParameter> parameters{};  ///< of a method, the first one is its object; a function may read
                                            ///< the arguments itself if this is empty
  Spelling becomes{};
  Type result{};           ///< of the code
  cpp::Effects effects{};  ///< of the code, beside those that follow from it (cpp/effects.cpp)
  Type (*result_of)(const Type& first) =
      nullptr;  ///< in place of `result`, if that depends on the first argument
};

/// The first parameter of a method.
inline const CallParameter self_parameter{"self"};

/// Returns the row of a name; nullptr if the table has none.
const Row* row_named(const std::vector<Row>& rows, std::string_view name);

/// Calls the function `name` of a row. `whole` is its name in messages.
Value call_row(Builder& b, const Row& row, std::string_view name, std::string_view whole,
               const Arguments& arguments);

/// Calls a function by its row. Refuses one that the table lacks.
Value call_table(Builder& b, const std::vector<Row>& rows, std::string_view name, std::string_view whole,
                 const Arguments& arguments);

}  // namespace torchbook::translate
