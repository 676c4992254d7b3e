// Defines a row: what is known of a function or method of Python.
#pragma once

#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/match.h>

namespace torchbook::translate {

/// A call of a row.
struct Given {
  const std::vector<Takes>& parameters;  ///< of the row
  std::string_view name;                 ///< of the function or method
  std::string_view whole;                ///< what a reason calls it
  const Arguments& arguments;
  std::vector<const Value*> values{};  ///< by the parameters of the row; nullptr for one that is left out

  /// `const auto [base, exponent] = given.as<2>();`
  template <std::size_t count>
  std::array<const Value*, count> as() const {
    std::array<const Value*, count> all{};
    std::copy_n(values.begin(), count, all.begin());
    return all;
  }
  /// Returns an argument in C++, or the value of a parameter that is left out.
  cpp::Expr code(Builder& b, std::size_t place) const;
  [[noreturn]] void refuse_form() const { refuse("{} is called in a form that is not translated", whole); }
};

/// What a call of a row becomes in C++. Nothing by default.
struct Spelling {
  Spelling() = default;
  // NOLINTBEGIN(google-explicit-constructor): a table has the text or function itself
  Spelling(const char* text) : code(text) {}
  Spelling(const cpp::Form& call) : code(call.text) {}
  Spelling(Value (*made_by)(Builder& b, const Given& given)) : function(made_by) {}
  // NOLINTEND(google-explicit-constructor)

  std::string_view code{};  ///< a function; a method of the first argument behind a dot; `{}` is the name
  Value (*function)(Builder& b, const Given& given) = nullptr;  ///< for what no code can say
};

/// Functions or methods of Python.
struct Row {
  std::string_view names;  ///< without the module, with a space between
  std::vector<Takes>
      parameters{};  ///< the first one of a method is its object; a function of C++ without any reads all
  Spelling becomes{};
  Type result{};           ///< of a code
  cpp::Effects effects{};  ///< of a code, beside those that follow from it (cpp/effects.cpp)
  Type (*result_of)(const Type& first) = nullptr;  ///< in place of the result, if the first argument tells it
};

/// The first parameter of a method.
inline const Takes the_object{"self"};

/// Returns the row of a name; nullptr if the table has none.
const Row* row_named(const std::vector<Row>& rows, std::string_view name);

/// Calls the function `name` of a row. `whole` is what a reason calls it.
Value call_row(Builder& b, const Row& row, std::string_view name, std::string_view whole,
               const Arguments& arguments);

/// Calls a function of a table that has all that are translated. Refuses another one.
Value call_table(Builder& b, const std::vector<Row>& rows, std::string_view name, std::string_view whole,
                 const Arguments& arguments);

}  // namespace torchbook::translate
