#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/file.h>
#include <tools/import/translate/kinds/sequences.h>
#include <tools/import/translate/statements/statements.h>

namespace torchbook::translate {
namespace {

constexpr const char* checkpoint = "torchbook::Checkpoint";

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

/// Returns a value in a dict that torch.save writes.
static cpp::Expr kept_in_dict(Builder& b, const std::string& key, const Value& value) {
  const auto& type = value.type;
  const bool of_optimizer = type.is(Kind::shown) && type.name() == state_of_optimizer;
  const bool floats = type == list_of(Kind::floating);
  const bool plain =
      type.is(Kind::integer) || type.is(Kind::floating) || type.is(Kind::boolean) || type.is(Kind::string);
  const auto kept = of_optimizer || floats || plain ? value_of(type, value.expr) : saved(b, value);
  const auto [known, added] = b.state.checkpoint.emplace(key, without_numbers(kept.type));
  if (!added && known->second != kept.type)
    refuse("the checkpoints of the notebook hold {} and {} as {}", in_words(known->second), in_words(type),
           key);
  return value.is(Kind::string) ? as_string(value) : kept.expr;
}

/// `torch.save({"model": model.state_dict(), "epoch": 3}, "checkpoint.pth")`
static Value save_dict(Builder& b, const Node& node) {
  if (node.args().size() != 2 || !node.keywords().empty())
    refuse("torch.save is called in a form that is not translated");
  const auto dict = node.args()[0];
  std::vector<cpp::Expr> entries;
  const auto keys = dict.keys();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto key = expression(b, keys[i]);
    if (!key.is(Kind::string) || !key.literal)
      refuse("torch.save writes a dict whose keys are not written out");
    entries.push_back(
        cpp::braces({key.expr, kept_in_dict(b, key.expr.text(), expression(b, dict.values()[i]))}));
  }
  const auto path = name_of_file(expression(b, node.args()[1]));
  if (!path) refuse("torch.save writes to something other than a file that is named");
  ++b.found.changes;
  return value_of(Kind::none,
                  cpp::call("torchbook::keep", {cpp::braces(std::move(entries), checkpoint), path})
                      .with(cpp::writes(cpp::Place::world)));
}

Value save(Builder& b, const Node& node) {
  if (!node.args().empty() && node.args()[0].is(Ast::Dict)) return save_dict(b, node);
  const auto arguments = translate::arguments(b, node);
  const auto [given, file] = match("torch.save", arguments, {{"obj"}, {"f", {Kind::string, Kind::path}}});
  const auto path = name_of_file(*file);
  const auto value = saved(b, *given);
  ++b.found.changes;
  b.state.saves_states = b.state.saves_states || value.is(Kind::state_dict);
  const bool certain = b.frame->is_notebook && b.frame->branches == 0 && b.frame->loops == 0;
  if (certain && file->literal && file->is(Kind::string))
    b.state.saved.insert_or_assign(file->expr.text(), value.type);
  return value_of(Kind::none, cpp::call("torchbook::keep", {value.expr, path})
                                  .in_order(arguments.order_of({given, file}))
                                  .with(cpp::writes(cpp::Place::world)));
}

Value load(Builder& b, const Arguments& arguments) {
  const auto [file, device, only] = match("torch.load", arguments,
                                          {{"f", {Kind::string, Kind::path}},
                                           {"map_location", {Kind::string, Kind::device, Kind::none}, true},
                                           {"*weights_only", {Kind::boolean}, true}});
  const auto path = name_of_file(*file);
  const bool written = file->literal && file->is(Kind::string);
  const auto found = written ? b.state.saved.find(file->expr.text()) : b.state.saved.end();
  if (found == b.state.saved.end()) b.lost.files.refuse();
  const bool dict = found == b.state.saved.end() && !b.state.saves_states && !b.state.checkpoint.empty();
  if (found == b.state.saved.end() && !b.state.saves_states && !dict)
    refuse("torch.load reads a file that no translated cell above saves");
  const auto type = found != b.state.saved.end() ? found->second
                    : dict                       ? named_type(Kind::checkpoint, checkpoint)
                                                 : named_type(Kind::state_dict, state_dict);
  const auto call = cpp::call(fmt::format("torchbook::kept<{}>", cpp_type(type)), {path});
  return value_of(type, call.with(cpp::reads(cpp::Place::world)));
}

Value checkpoint_item(Builder& b, const Value& checkpoint, const Node& slice) {
  const auto key = expression(b, slice);
  const auto found = key.literal ? b.state.checkpoint.find(key.expr.text()) : b.state.checkpoint.end();
  if (found == b.state.checkpoint.end()) refuse("the notebook saves no such item of a checkpoint");
  const auto get = fmt::format("get<{}>", cpp_type(found->second));
  return value_of(found->second, cpp::method(checkpoint.expr, get, {key.expr}));
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
