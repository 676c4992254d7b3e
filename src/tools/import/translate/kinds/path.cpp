#include <fmt/format.h>
#include <tools/import/translate/kinds/file.h>
#include <tools/import/translate/kinds/path.h>
#include <tools/import/translate/rows/row.h>

namespace torchbook::translate {

Value path_of_file(const Arguments& arguments) {
  auto path = value_of(named_type(Kind::path, "torchbook::Path"), cpp::call("torchbook::Path", {}));
  if (!arguments.named.empty()) refuse("pathlib.Path is called in a form that is not translated");
  for (const auto& part : arguments.positional) {
    if (!part.is(Kind::string) && !part.is(Kind::path)) refuse("pathlib.Path takes {}", in_words(part.type));
    const bool first = &part == &arguments.positional[0];
    if (!first) {
      path.expr = cpp::binary(path.expr, "/", part.expr);
    } else {
      path.expr = part.is(Kind::path) ? part.expr : cpp::call("torchbook::Path", {part.expr});
    }
  }
  return path;
}

Value path_binary(Builder& /*b*/, Ast operation, const Value& left, const Value& right) {
  const bool known =
      (left.is(Kind::string) || left.is(Kind::path)) && (right.is(Kind::string) || right.is(Kind::path));
  if (operation != Ast::Div || !known) refuse_operands(left, right);
  auto path = path_of_file({.positional = {left}});
  path.expr = cpp::binary(path.expr, "/", right.expr);
  return path;
}

static Value text_of_path(Builder& b, const RowCall& given) { return text_of_file(b, opened(b, given)); }

static const CallParameter encoding_of_file{"*encoding", {Kind::string}, true};

static const std::vector<Row> methods_of_path = {
    {"open", {self_parameter, {"mode", {Kind::string}, true}, encoding_of_file}, opened},
    {"read_text", {self_parameter, {"*mode", {Kind::string}, true}, encoding_of_file}, text_of_path}};

Value path_method(Builder& b, const Value& path, std::string_view name, const Arguments& arguments) {
  if (name == "mkdir" && !path.acts()) return nothing();
  return call_table(b, methods_of_path, name, fmt::format("the method {} of a path", name),
                    arguments.of(path));
}

}  // namespace torchbook::translate
