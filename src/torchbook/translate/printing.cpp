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

}  // namespace

Value Translator::print(const Node& node) {
  const auto given = arguments(node);
  std::vector<std::string> codes;
  for (const auto& value : given.positional) {
    if (value.is(Kind::tensor) && value.type.name.ends_with("parameter")) throw NotPorted("it prints a parameter");
    codes.push_back(printable(value));
    if (value.is(Kind::module)) need("#include <torchbook/pyrepr/module.h>");
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
  std::vector<std::string> codes;
  bool acts = false;
  for (const auto& part : node.list("values")) {
    if (part.is("Constant")) {
      format += with_doubled_braces(part.text("value"));
      continue;
    }
    const auto value = expression(part.child("value"));
    if (acts && value.acts) throw NotPorted("an f-string draws or changes something more than once");
    if (value.is(Kind::tensor) && value.type.name.ends_with("parameter")) throw NotPorted("it prints a parameter");
    acts |= value.acts;
    codes.push_back(printable(value));
    const auto conversion = part.number("conversion");
    std::string spec;
    if (part.has("format_spec")) {
      for (const auto& piece : part.child("format_spec").list("values")) {
        if (!piece.is("Constant")) throw NotPorted("a format has a value in its spec");
        spec += piece.text("value");
      }
    }
    if (conversion == 'a') throw NotPorted("an f-string has !a");
    format += fmt::format("{{{}{}{}}}", conversion == 'r' ? "!r" : conversion == 's' ? "!s" : "",
                          spec.empty() ? "" : ":", spec);
  }
  Value value = value_of(Kind::string, "");
  value.acts = acts;
  if (codes.empty()) {
    value.literal = true;
    std::string text;
    for (const auto& part : node.list("values")) text += part.text("value");
    value.code = string_literal(text);
    return value;
  }
  need("using torchbook::f;");
  value.code = fmt::format("f({}, {})", string_literal(format), fmt::join(codes, ", "));
  return value;
}

}  // namespace torchbook::translate
