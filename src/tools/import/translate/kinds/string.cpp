// Translates the methods of str, and what else is done with texts.
#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/printing.h>
#include <tools/import/translate/expressions/subscripts.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/sequences.h>
#include <tools/import/translate/kinds/string.h>
#include <torchbook/runtime/strings.h>

#include <algorithm>
#include <array>

namespace torchbook::translate {
namespace {

/// A method of str. Its arguments are strs.
struct StrMethod {
  std::string_view name;
  std::size_t fewest, most;  ///< arguments
  std::string_view code;  ///< a function that takes the text first; a method of std::string if it has a dot
  Kind result = Kind::string;
};

const std::vector<StrMethod> methods = {
    {"upper", 0, 0, "python::upper"},
    {"lower", 0, 0, "python::lower"},
    {"title", 0, 0, "python::title"},
    {"capitalize", 0, 0, "python::capitalize"},
    {"strip", 0, 1, "python::strip"},
    {"lstrip", 0, 1, "python::left_strip"},
    {"rstrip", 0, 1, "python::right_strip"},
    {"replace", 2, 2, "python::replace"},
    {"split", 0, 1, "python::split", Kind::list},
    {"splitlines", 0, 0, "python::split_lines", Kind::list},
    {"count", 1, 1, "python::count", Kind::integer},
    {"find", 1, 1, "python::find", Kind::integer},
    {"isalpha", 0, 0, "python::is_alpha", Kind::boolean},
    {"isdigit", 0, 0, "python::is_digit", Kind::boolean},
    {"isalnum", 0, 0, "python::is_alnum", Kind::boolean},
    {"isspace", 0, 0, "python::is_space", Kind::boolean},
    {"startswith", 1, 1, ".starts_with", Kind::boolean},
    {"endswith", 1, 1, ".ends_with", Kind::boolean},
};

/// Methods whose argument must not be empty.
constexpr std::array<std::string_view, 3> want_text = {"replace", "split", "count"};

/// Whether a literal of C++ holds the text without escapes.
bool is_plain_text(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](unsigned char c) { return c < ' ' || c == '"' || c == '\\'; });
}

/// Returns the words of a text that is written out.
Value words_of(const std::string& text) {
  auto list = value_of(list_of(Type(Kind::string)), cpp::braces({}));
  list.literal = true;
  for (const auto& word : python::split(text)) {
    list.elements.push_back(value_of(Kind::string, string_literal(word)));
    list.elements.back().literal = true;
  }
  if (!list.elements.empty()) list.expr = printable(list);
  return list;
}

}  // namespace

/// `text[0]`
static Value character_of(Builder& b, const Value& text, const Value& at) {
  auto whole = text;
  whole.expr = as_string(text);
  return value_of(Kind::string, cpp::braces({checked_element(b, whole, at)}, "std::string"));
}

Value string_method(Builder& b, const Value& text, std::string_view name, const Arguments& arguments) {
  const auto& values = arguments.positional;
  const bool one = values.size() == 1 && arguments.named.empty();
  if (name == "join" && one && !values[0].is(Kind::tensor)) {
    const auto words = rows_of(b, values[0]);
    if (!words.type.items[0].is(Kind::string)) refuse("it joins something else than strs");
    return value_of(Kind::string, cpp::call("python::join", {words.expr, text.expr}).in_order({1, 0}));
  }
  if (name == "format") return formatted(b, text, arguments);
  const auto found = std::find_if(methods.begin(), methods.end(), [&](const StrMethod& method) {
    return method.name == name && method.fewest <= values.size() && values.size() <= method.most;
  });
  const bool strings =
      std::all_of(values.begin(), values.end(), [](const Value& value) { return value.is(Kind::string); });
  const bool empty = !values.empty() && values[0].is_text("") &&
                     std::find(want_text.begin(), want_text.end(), name) != want_text.end();
  if (found == methods.end() || !strings || empty || !arguments.named.empty())
    refuse("the method {} of a str is not translated", name);
  if (name == "split" && values.empty() && text.literal && is_plain_text(text.expr.text()))
    return words_of(text.expr.text());
  auto parts = expressions_of(values);
  const auto type = found->result == Kind::list ? list_of(Type(Kind::string)) : Type(found->result);
  if (found->code.starts_with('.')) {
    const auto method = std::string(found->code.substr(1));
    return value_of(type, cpp::method(as_string(text), method, std::move(parts)));
  }
  parts.insert(parts.begin(), text.expr);
  return value_of(type, cpp::call(found->code, std::move(parts)));
}

Value string_item(Builder& b, const Value& text, const Node& slice) {
  if (slice.is(Ast::Slice)) return slice_of(b, text, slice);
  return character_of(
      b, text, is_written_number(slice) ? place_written(expression(b, slice).number) : place_of(b, slice));
}

Value string_rows(Builder& /*b*/, const Value& text) {
  return value_of(list_of(Kind::string), cpp::call("python::characters", {text.expr}));
}

Value string_length(Builder& /*b*/, const Value& text) {
  return value_of(Kind::integer, cpp::cast("int64_t", cpp::method(as_string(text), "size")));
}

Value string_contains(Builder& b, const Value& text, const Value& value) {
  return value.is(Kind::string) ? found_in(value, text.expr) : found_in_rows(b, value, text);
}

Value string_binary(Builder& b, Ast operation, const Value& left, const Value& right) {
  if (left.is(Kind::string) && operation == Ast::Mod) return percent(b, left, right);
  const bool adds = operation == Ast::Add && left.is(Kind::string) && right.is(Kind::string);
  const bool repeats = operation == Ast::Mult && left.is(Kind::string) && right.is(Kind::integer);
  if (!adds && !repeats) refuse_operands(left, right);
  auto text = left;
  if (adds) {
    text.expr = as_string(left);
    return with_operator(text, Ast::Add, right, Kind::string);
  }
  const bool written = left.literal && right.literal && !right.number.empty() && right.number.size() < 4;
  if (!written) return value_of(Kind::string, cpp::call("python::repeated", {as_string(left), right.expr}));
  std::string repeated;
  for (int i = std::stoi(right.number); i > 0; --i) repeated += left.expr.text();
  text.expr = string_literal(repeated);
  return text;
}

}  // namespace torchbook::translate
