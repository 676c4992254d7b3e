#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/printing.h>
#include <tools/import/translate/expressions/subscripts.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/sequences.h>
#include <tools/import/translate/kinds/string.h>
#include <tools/import/translate/rows/row.h>
#include <torchbook/runtime/strings.h>

#include <algorithm>
#include <array>

namespace torchbook::translate {
namespace {

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

/// `" ".join(words)`
static Value joined_text(Builder& b, const RowCall& given) {
  const auto [text, iterable] = given.as<2>();
  const auto words = rows_of(b, *iterable);
  if (!words.type.items[0].is(Kind::string)) refuse("it joins something other than strs");
  return value_of(Kind::string, cpp::call("python::join", {words.expr, text->expr}).in_order({1, 0}));
}

/// `text.split()`, `"a, b".split(", ")`
static Value split_text(Builder& /*b*/, const RowCall& given) {
  const auto [text, separator] = given.as<2>();
  if (separator == nullptr && text->literal && is_plain_text(text->expr.text()))
    return words_of(text->expr.text());
  std::vector<cpp::Expr> parts = {text->expr};
  if (separator != nullptr) parts.push_back(separator->expr);
  return value_of(list_of(Kind::string), cpp::call("python::split", std::move(parts)));
}

static const CallParameter letters{"chars", {Kind::string}, true};

static const std::vector<Row> methods_of_str = {
    {"upper lower title capitalize", {self_parameter}, "python::{}", Kind::string},
    {"strip", {self_parameter, letters}, "python::strip", Kind::string},
    {"lstrip", {self_parameter, letters}, "python::left_strip", Kind::string},
    {"rstrip", {self_parameter, letters}, "python::right_strip", Kind::string},
    {"replace",
     {self_parameter, {"old", {Kind::string}}, {"new", {Kind::string}}},
     "python::replace",
     Kind::string},
    {"splitlines", {self_parameter}, "python::split_lines", list_of(Kind::string)},
    {"count find", {self_parameter, {"sub", {Kind::string}}}, "python::{}", Kind::integer},
    {"isalpha", {self_parameter}, "python::is_alpha", Kind::boolean},
    {"isdigit", {self_parameter}, "python::is_digit", Kind::boolean},
    {"isalnum", {self_parameter}, "python::is_alnum", Kind::boolean},
    {"isspace", {self_parameter}, "python::is_space", Kind::boolean},
    {"startswith", {self_parameter, {"prefix", {Kind::string}}}, ".starts_with", Kind::boolean},
    {"endswith", {self_parameter, {"suffix", {Kind::string}}}, ".ends_with", Kind::boolean},
    {"join", {self_parameter, {"iterable"}}, joined_text},
    {"split", {self_parameter, {"sep", {Kind::string}, true}}, split_text}};

Value string_method(Builder& b, const Value& text, std::string_view name, const Arguments& arguments) {
  if (name == "format") return formatted(b, text, arguments);
  const auto whole = fmt::format("the method {} of a str", name);
  const bool wants_text = std::find(want_text.begin(), want_text.end(), name) != want_text.end();
  if (wants_text && !arguments.positional.empty() && arguments.positional[0].is_text(""))
    refuse("{} gets an empty str", whole);
  return call_table(b, methods_of_str, name, whole, arguments.of(text));
}

/// Notes that a str of C++ is one of bytes.
static void note_bytes(Builder& b) {
  b.found.limits.emplace("C++ counts the bytes of a str, Python its characters");
}

Value string_item(Builder& b, const Value& text, const Node& slice) {
  note_bytes(b);
  if (slice.is(Ast::Slice)) return slice_of(b, text, slice);
  return character_of(
      b, text, is_written_number(slice) ? place_written(expression(b, slice).number) : place_of(b, slice));
}

Value string_rows(Builder& b, const Value& text) {
  note_bytes(b);
  return value_of(list_of(Kind::string), cpp::call("python::characters", {text.expr}));
}

Value string_length(Builder& b, const Value& text) {
  note_bytes(b);
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
