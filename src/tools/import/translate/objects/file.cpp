// Translates paths, reading a text file, and saving the state of a module. Writing a file is refused, because
// `torchbook import` runs the port at once. A saved state stays in memory.
#include <fmt/format.h>
#include <tools/import/translate/lower/translator.h>

namespace torchbook::translate {
namespace {

/// Returns the name of a file as a str of C++; empty if the value is neither a str nor a path.
cpp::Expr name_of_file(const Value& file) {
  if (file.is(Kind::string)) return as_string(file);
  return is_path(file.type) ? cpp::method(file.expr, "str") : cpp::Expr();
}

}  // namespace

bool is_path(const Type& type) { return type.is(Kind::object) && type.name() == "torchbook::Path"; }

/// `Path("models", "first")`
Value Translator::path_of_file(const Arguments& arguments) {
  auto path = value_of(object_type("torchbook::Path"), cpp::call("torchbook::Path", {}));
  if (!arguments.named.empty()) throw NotPorted("pathlib.Path is called in a form that is not translated");
  for (const auto& part : arguments.positional) {
    if (!part.is(Kind::string) && !is_path(part.type))
      throw NotPorted("pathlib.Path takes {}", in_words(part.type));
    const bool first = &part == &arguments.positional[0];
    if (!first) {
      path.expr = cpp::binary(path.expr, "/", part.expr);
    } else {
      path.expr = is_path(part.type) ? part.expr : cpp::call("torchbook::Path", {part.expr});
    }
  }
  return path;
}

/// `folder / "model.pth"`
Value Translator::joined_path(std::string_view operation, const Value& left, const Value& right) {
  const bool known =
      (left.is(Kind::string) || is_path(left.type)) && (right.is(Kind::string) || is_path(right.type));
  if (operation != "Div" || !known)
    throw NotPorted("an operator takes {} and {}", in_words(left.type), in_words(right.type));
  auto path = path_of_file({.positional = {left}});
  path.expr = cpp::binary(path.expr, "/", right.expr);
  return path;
}

/// `path.open()`, `path.read_text()`, and `folder.mkdir(parents=True, exist_ok=True)`: without a file to
/// write, C++ needs no folder.
Value Translator::path_method(const Value& path, std::string_view name, const Arguments& arguments) {
  if (name == "open" || name == "read_text") {
    auto given = arguments;
    if (name == "read_text" && !given.positional.empty())
      throw NotPorted("read_text is called in a form that is not translated");
    given.positional.insert(given.positional.begin(), path);
    const auto file = opened(given);
    return name == "open" ? file : text_of_file(file);
  }
  if (name != "mkdir" || path.acts()) throw NotPorted("the method {} of a path is not translated", name);
  return nothing();
}

/// Returns what torch.save writes as a value of C++.
Value Translator::saved(const Value& value) {
  const Type tensor = Kind::tensor;
  if (value.type.name() == state_dict) return value;
  if (value.is(Kind::tensor) && value.type.is(types::Leaf::no))
    return value_of(Type(types::Tensor{.known = value.type.known()}), value.expr);
  if (value.is(Kind::list) && !value.type.items.empty() && value.type.items[0].is(Kind::tensor) &&
      value.type.items[0].is(types::Leaf::no)) {
    const auto list = typed(value, value.type);
    return value_of(list_of(tensor), list.expr);
  }
  throw NotPorted("torch.save writes {}; model.state_dict() has the weights of a model",
                  in_words(value.type));
}

/// `torch.save(model.state_dict(), "model.pth")`
Value Translator::save(const Arguments& arguments) {
  const auto* given = arguments.find("obj", 0);
  const auto* file = arguments.find("f", 1);
  const auto path = file == nullptr ? cpp::Expr() : name_of_file(*file);
  if (given == nullptr || !path || arguments.count() != 2)
    throw NotPorted("torch.save is called in a form that is not translated");
  const auto value = saved(*given);
  ++changes_;
  saves_states_ = saves_states_ || value.type.name() == state_dict;
  const bool certain = frame_->is_notebook && frame_->branches == 0 && frame_->loops == 0;
  if (certain && file->literal && file->is(Kind::string))
    saved_.insert_or_assign(file->expr.text(), value.type);
  return value_of(Kind::none, cpp::call("torchbook::nn::keep", {value.expr, path})
                                  .in_order(arguments.order_of({given, file}))
                                  .with(cpp::writes(cpp::Place::world)));
}

/// `torch.load("model.pth")`
Value Translator::load(const Arguments& arguments) {
  const auto* file = arguments.find("f", 0);
  const auto* only = arguments.find("weights_only", Arguments::by_name);
  const auto path = file == nullptr ? cpp::Expr() : name_of_file(*file);
  if (!path || arguments.count() != (only == nullptr ? 1U : 2U) ||
      (only != nullptr && !only->is(Kind::boolean)))
    throw NotPorted("torch.load is called in a form that is not translated");
  const bool written = file->literal && file->is(Kind::string);
  const auto found = written ? saved_.find(file->expr.text()) : saved_.end();
  if (found == saved_.end()) lost_files_.refuse();
  if (found == saved_.end() && !saves_states_)
    throw NotPorted("torch.load reads a file that no translated cell above saves");
  const auto type = found == saved_.end() ? object_type(std::string(state_dict)) : found->second;
  const auto call = cpp::call(fmt::format("torchbook::nn::kept<{}>", cpp_type(type)), {path});
  return value_of(type, call.with(cpp::reads(cpp::Place::world)));
}

/// `open("input.txt", "r", encoding="utf-8")`
Value Translator::opened(const Arguments& given) {
  const auto* path = given.find("file", 0);
  const auto* mode = given.find("mode", 1);
  const bool reads = mode == nullptr || mode->is_text("r") || mode->is_text("rt");
  std::size_t known = (path != nullptr ? 1U : 0U) + (mode != nullptr ? 1U : 0U);
  for (const auto& [name, value] : given.named) {
    const bool utf8 = value.is_text("utf-8") || value.is_text("utf8") || value.is_text("UTF-8");
    known += name == "encoding" && utf8 ? 1 : 0;
  }
  if (path == nullptr || !reads || known != given.count() ||
      (!path->is(Kind::string) && !is_path(path->type)))
    throw NotPorted("open() does something else than to read text");
  const auto file = path->is(Kind::string) ? path->expr : name_of_file(*path);
  return value_of(Kind::file, cpp::call("torchbook::read_text", {file}));
}

void Translator::name_file(const std::string& name, const Value& file) {
  if (file.expr.is(cpp::Kind::name)) throw NotPorted("a file gets a second name");
  auto& variable = scope().declare(name, file.type);
  variable.file = file.expr;
  variable.file_loops = frame_->loops;
}

/// Returns what a file holds. A second call would return an empty str.
Value Translator::text_of_file(const Value& file) {
  if (!file.expr.is(cpp::Kind::name)) return value_of(Kind::string, file.expr);
  const auto used = scope().name_with_code(file.expr.text());
  if (!used) throw NotPorted("a function reads a file that is opened outside of it");
  const auto* variable = scope().own(*used);
  if (frame_->loops > variable->file_loops) throw NotPorted("a loop reads a file that is opened above it");
  auto text = value_of(Kind::string, variable->file);
  scope().lose(*used, "a file is read twice");
  return text;
}

/// `for line in file:`
Value Translator::file_rows(const Value& file) {
  return value_of(list_of(Kind::string), cpp::call("python::lines_with_ends", {text_of_file(file).expr}));
}

/// `file.read()`, `file.readlines()`
Value Translator::file_method(const Value& file, std::string_view name, const Arguments& arguments) {
  if (name == "close" && arguments.positional.empty()) return nothing();
  if ((name != "read" && name != "readlines") || arguments.count() > 0)
    throw NotPorted("the method {} of a file is not translated", name);
  return name == "read" ? text_of_file(file) : file_rows(file);
}

/// `with open("input.txt") as file:`; false if it is another with statement.
bool Translator::with_file(const Node& node) {
  const auto items = node.list("items");
  const auto call = items.size() == 1 ? items[0].child("context_expr") : node;
  const bool opens = (called_name(call) == "open" && scope().find("open") == nullptr) ||
                     (called_method(call) == "open" && !path_of(call.child("func")));
  if (!opens || !items[0].has("optional_vars") || !items[0].child("optional_vars").is("Name")) return false;
  const auto name = std::string(items[0].child("optional_vars").text("id"));
  const auto file = expression(call);
  if (!file.is(Kind::file)) return false;
  name_file(name, file);
  for (const auto& each : node.list("body")) statement(each);
  scope().lose(name, "a file is closed");
  return true;
}

}  // namespace torchbook::translate
