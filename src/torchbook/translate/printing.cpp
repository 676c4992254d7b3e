// Translates print and f-strings.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/translate/translator.h>

namespace torchbook::translate {
namespace {

/// Returns a text with doubled braces, as formats of `f` have it.
std::string with_doubled_braces(std::string_view text) {
  std::string result;
  for (const char c : text) {
    result += c;
    if (c == '{' || c == '}') result += c;
  }
  return result;
}

/// Returns a field of an f-string as formats of `f` have it: `{:.2f}`.
std::string replacement_field(const Node& part) {
  std::string field = "{";
  const auto conversion = part.number("conversion");
  if (conversion == 'a') throw NotPorted("an f-string has !a");
  if (conversion > 0) field += fmt::format("!{}", static_cast<char>(conversion));
  if (part.has("format_spec")) {
    field += ':';
    for (const auto& piece : part.child("format_spec").list("values")) {
      if (!piece.is("Constant")) throw NotPorted("a format has a value in its spec");
      field += piece.text("value");
    }
  }
  return field + '}';
}

/// Refuses values that C++ would print unlike Python.
std::string printed(const Value& value) {
  if (value.is(Kind::tensor) && value.type.name.ends_with("parameter"))
    throw NotPorted("it prints a parameter");
  return value.type.name == "type" ? value.code : printable(value);
}

}  // namespace

Value Translator::print(const Node& node) {
  if (frame_->of_class != nullptr) throw NotPorted("a class of C++ cannot print to the notebook");
  const auto given = arguments(node);
  std::vector<std::string> codes;
  for (const auto& argument : given.positional) {
    const auto value = argument.is(Kind::record) ? record_text(argument) : argument;
    codes.push_back(with_tensors(printed(value)));
    if (value.is(Kind::module)) need_to_print_modules();
  }
  for (const auto& [name, value] : given.named) {
    const bool known = name == "sep" || name == "end";
    if (known && value.is(Kind::string)) {
      codes.push_back(fmt::format("torchbook::{}({})", name, value.code));
    } else if (name != "flush") {
      throw NotPorted(fmt::format("print has the argument {}, which is not translated", name));
    }
  }
  auto value = value_of(Kind::none, fmt::format("nb.print({})", fmt::join(codes, ", ")));
  value.acts = true;
  return value;
}

Value Translator::f_string(const Node& node) {
  std::string format;
  std::vector<Value> values;
  const int changes = changes_;
  for (const auto& part : node.list("values")) {
    if (part.is("Constant")) {
      format += with_doubled_braces(part.text("value"));
      continue;
    }
    values.push_back(expression(part.child("value")));
    format += replacement_field(part);
    const bool whole =
        values.back().type.name != "error" || format.ends_with("{}") || format.ends_with("{!s}");
    if (!whole) throw NotPorted("it prints an exception in another form");
  }
  if (changes != changes_ && values.size() > 1)
    throw NotPorted("an f-string changes something and shows more");
  if (values.empty()) {
    Value value = value_of(Kind::string, "");
    value.literal = true;
    std::string text;
    for (const auto& part : node.list("values")) text += part.text("value");
    value.code = string_literal(text);
    return value;
  }
  return filled(string_literal(format), values);
}

/// Returns the text of `f`, whose fields take the values one by one. `format` is a literal.
Value Translator::filled(const std::string& format, const std::vector<Value>& values) {
  std::vector<std::string> codes = {format};
  auto text = value_of(Kind::string, "");
  for (const auto& each : values) {
    const auto value = each.is(Kind::record) ? record_text(each) : each;
    if (text.acts && value.acts) throw NotPorted("an f-string draws or changes something more than once");
    text.acts |= value.acts;
    if (value.is(Kind::module)) need_to_print_modules();
    codes.push_back(printed(value));
  }
  need("using torchbook::f;");
  text.code = fmt::format("f({}).text", fmt::join(codes, ", "));
  return text;
}

}  // namespace torchbook::translate
