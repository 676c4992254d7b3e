// Translates reading a text file. Writing one is refused, because `torchbook import` runs the port
// at once.
#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

namespace torchbook::translate {

/// `open("input.txt", "r", encoding="utf-8")`
Value Translator::opened(const Node& call) {
  const auto given = arguments(call);
  const auto* path = given.find("file", 0);
  const auto* mode = given.find("mode", 1);
  const bool reads = mode == nullptr || mode->is_text("r") || mode->is_text("rt");
  std::size_t known = (path != nullptr ? 1U : 0U) + (mode != nullptr ? 1U : 0U);
  for (const auto& [name, value] : given.named) {
    const bool utf8 = value.is_text("utf-8") || value.is_text("utf8") || value.is_text("UTF-8");
    known += name == "encoding" && utf8 ? 1 : 0;
  }
  if (path == nullptr || !path->is(Kind::string) || !reads || known != given.count())
    throw NotPorted("open() does something else than to read text");
  return value_of(Kind::file, cpp::call("torchbook::read_text", {path->expr}));
}

void Translator::name_file(const std::string& name, const Value& file) {
  if (file.expr.is(cpp::Kind::name)) throw NotPorted("a file gets a second name");
  scope().declare(name, file.type).file = file.expr;
}

/// `file.read()`. A second call would return an empty str.
Value Translator::file_method(const Value& file, std::string_view name, const Arguments& arguments) {
  if (name == "close" && arguments.positional.empty()) return nothing();
  if (name != "read" || arguments.count() > 0)
    throw NotPorted("the method {} of a file is not translated", name);
  if (!file.expr.is(cpp::Kind::name)) return value_of(Kind::string, file.expr);
  const auto used = scope().name_with_code(file.expr.text());
  if (!used) throw NotPorted("a function reads a file that is opened outside of it");
  auto text = value_of(Kind::string, scope().own(*used)->file);
  scope().lose(*used, "a file is read twice");
  return text;
}

/// `with open("input.txt") as file:`; false if it is another with statement.
bool Translator::with_file(const Node& node) {
  const auto items = node.list("items");
  const auto call = items.size() == 1 ? items[0].child("context_expr") : node;
  const bool opens = called_name(call) == "open" && scope().find("open") == nullptr;
  if (!opens || !items[0].has("optional_vars") || !items[0].child("optional_vars").is("Name")) return false;
  const auto name = std::string(items[0].child("optional_vars").text("id"));
  const auto file = opened(call);
  name_file(name, file);
  for (const auto& each : node.list("body")) statement(each);
  scope().lose(name, "a file is closed");
  return true;
}

}  // namespace torchbook::translate
