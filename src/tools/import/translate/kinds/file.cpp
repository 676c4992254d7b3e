#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/file.h>
#include <tools/import/translate/kinds/sequences.h>
#include <tools/import/translate/statements/statements.h>

namespace torchbook::translate {
namespace {

/// Returns the name of a file as a str of C++; empty if the value is neither a str nor a path.
cpp::Expr name_of_file(const Value& file) {
  if (file.is(Kind::string)) return as_string(file);
  return file.is(Kind::path) ? cpp::method(file.expr, "str") : cpp::Expr();
}

}  // namespace

Value text_of_file(Builder& b, const Value& file) {
  if (!file.expr.is(cpp::Kind::name)) return value_of(Kind::string, file.expr);
  const auto used = b.scope().name_with_code(file.expr.text());
  if (!used) refuse("a function reads a file that is opened outside of it");
  const auto* variable = b.scope().own(*used);
  if (b.frame->loops > variable->file_loops) refuse("a loop reads a file that is opened above it");
  auto text = value_of(Kind::string, variable->file);
  b.scope().lose(*used, "a file is read twice");
  return text;
}

/// Returns the value that torch.save writes.
static Value saved(Builder& b, const Value& value) {
  const Type tensor = Kind::tensor;
  if (value.is(Kind::state_dict)) return value;
  if (value.is(Kind::tensor) && value.type.is(types::Leaf::no))
    return value_of(Type(types::Tensor{.known = value.type.known()}), value.expr);
  if (value.is(Kind::list) && !value.type.items.empty() && value.type.items[0].is(Kind::tensor) &&
      value.type.items[0].is(types::Leaf::no)) {
    const auto list = typed(b, value, value.type);
    return value_of(list_of(tensor), list.expr);
  }
  refuse("torch.save writes {}; model.state_dict() has the weights of a model", in_words(value.type));
}

Value save(Builder& b, const Arguments& arguments) {
  const auto [given, file] = match("torch.save", arguments, {{"obj"}, {"f", {Kind::string, Kind::path}}});
  const auto path = name_of_file(*file);
  const auto value = saved(b, *given);
  ++b.found.changes;
  b.state.saves_states = b.state.saves_states || value.is(Kind::state_dict);
  const bool certain = b.frame->is_notebook && b.frame->branches == 0 && b.frame->loops == 0;
  if (certain && file->literal && file->is(Kind::string))
    b.state.saved.insert_or_assign(file->expr.text(), value.type);
  return value_of(Kind::none, cpp::call("torchbook::nn::keep", {value.expr, path})
                                  .in_order(arguments.order_of({given, file}))
                                  .with(cpp::writes(cpp::Place::world)));
}

Value load(Builder& b, const Arguments& arguments) {
  const auto [file, only] = match(
      "torch.load", arguments, {{"f", {Kind::string, Kind::path}}, {"*weights_only", {Kind::boolean}, true}});
  const auto path = name_of_file(*file);
  const bool written = file->literal && file->is(Kind::string);
  const auto found = written ? b.state.saved.find(file->expr.text()) : b.state.saved.end();
  if (found == b.state.saved.end()) b.lost.files.refuse();
  if (found == b.state.saved.end() && !b.state.saves_states)
    refuse("torch.load reads a file that no translated cell above saves");
  const auto type = found == b.state.saved.end() ? named_type(Kind::state_dict, state_dict) : found->second;
  const auto call = cpp::call(fmt::format("torchbook::nn::kept<{}>", cpp_type(type)), {path});
  return value_of(type, call.with(cpp::reads(cpp::Place::world)));
}

Value opened(Builder& /*b*/, const RowCall& given) {
  const auto [path, mode, encoding] = given.as<3>();
  const bool reads = mode == nullptr || mode->is_text("r") || mode->is_text("rt");
  const bool utf8 = encoding == nullptr || encoding->is_text("utf-8") || encoding->is_text("utf8") ||
                    encoding->is_text("UTF-8");
  if (!reads || !utf8) refuse("open() does more than read text");
  const auto file = path->is(Kind::string) ? path->expr : name_of_file(*path);
  return value_of(Kind::file, cpp::call("torchbook::read_text", {file}));
}

void name_file(Builder& b, const std::string& name, const Value& file) {
  if (file.expr.is(cpp::Kind::name)) refuse("a file gets a second name");
  auto& variable = b.scope().declare(name, file.type);
  variable.file = file.expr;
  variable.file_loops = b.frame->loops;
}

Value file_rows(Builder& b, const Value& file) {
  return value_of(list_of(Kind::string), cpp::call("python::lines_with_ends", {text_of_file(b, file).expr}));
}

Value file_method(Builder& b, const Value& file, std::string_view name, const Arguments& arguments) {
  if (name == "close" && arguments.positional.empty()) return nothing();
  if ((name != "read" && name != "readlines") || arguments.count() > 0)
    refuse("the method {} of a file is not translated", name);
  return name == "read" ? text_of_file(b, file) : file_rows(b, file);
}

bool with_file(Builder& b, const Node& node) {
  const auto items = node.items();
  const auto call = items.size() == 1 ? items[0].context_expr() : node;
  const bool opens = (called_name(call) == "open" && b.scope().find("open") == nullptr) ||
                     (called_method(call) == "open" && !b.path_of(call.func()));
  if (!opens || !items[0].has_optional_vars() || !items[0].optional_vars().is(Ast::Name)) return false;
  const auto name = std::string(items[0].optional_vars().id());
  const auto file = expression(b, call);
  if (!file.is(Kind::file)) return false;
  name_file(b, name, file);
  for (const auto& each : node.body()) statement(b, each);
  b.scope().lose(name, "a file is closed");
  return true;
}

}  // namespace torchbook::translate
