#include <fmt/format.h>
#include <tools/import/translate/rows/builtins.h>
#include <tools/import/translate/rows/row.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

cpp::Expr code_for(Builder& b, const CallParameter& parameter, const Value* value) {
  if (value == nullptr)
    return parameter.default_code[0] == 't' ? cpp::name(parameter.default_code)
                                            : cpp::number(parameter.default_code);
  return parameter.is_floating() ? converted(b, "float", *value).expr : value->expr;
}

/// Whether a word is one of `words`, which have a space between.
bool has_word(std::string_view words, std::string_view word) {
  for (auto at = words.find(word); at != words.npos; at = words.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

/// Returns the code of a row with these arguments.
cpp::Expr call_of_code(const std::string& code, std::vector<cpp::Expr> arguments) {
  if (!code.starts_with('.')) return cpp::call(code, std::move(arguments));
  const auto receiver = arguments.at(0);
  arguments.erase(arguments.begin());
  return cpp::method(receiver, code.substr(1), std::move(arguments));
}

}  // namespace

const Row* row_named(const std::vector<Row>& rows, std::string_view name) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return has_word(row.names, name); });
  return found == rows.end() ? nullptr : &*found;
}

cpp::Expr RowCall::code(Builder& b, std::size_t place) const {
  return code_for(b, parameters[place], values[place]);
}

Value call_row(Builder& b, const Row& row, std::string_view name, std::string_view whole,
               const Arguments& arguments) {
  RowCall given{.parameters = row.parameters, .name = name, .whole = whole, .arguments = arguments};
  const auto& [code, function] = row.becomes;
  if (function == nullptr || !row.parameters.empty())
    given.values = match_row(whole, arguments, row.parameters);
  if (function != nullptr) return function(b, given);
  if (code.empty()) return nothing();
  auto& values = given.values;
  while (!values.empty() && values.back() == nullptr &&
         row.parameters[values.size() - 1].default_code.empty())
    values.pop_back();
  std::vector<cpp::Expr> codes;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == nullptr && row.parameters[i].default_code.empty()) given.refuse_form();
    const bool text = code.starts_with('.') && i == 0 && values[i]->is(Kind::string);
    codes.push_back(text ? as_string(*values[i]) : given.code(b, i));
  }
  const auto call = call_of_code(fmt::format(fmt::runtime(code), name), std::move(codes));
  const auto result = row.result_of == nullptr ? row.result : row.result_of(values[0]->type);
  return value_of(result, call.in_order(arguments.order_of(values)).with(row.effects));
}

Value call_table(Builder& b, const std::vector<Row>& rows, std::string_view name, std::string_view whole,
                 const Arguments& arguments) {
  const auto* row = row_named(rows, name);
  if (row == nullptr) refuse("{} is not translated", whole);
  return call_row(b, *row, name, whole, arguments);
}

}  // namespace torchbook::translate
