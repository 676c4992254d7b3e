// Translates attributes of tensors and modules, and the names of PyTorch itself.
#include <fmt/format.h>
#include <tools/import/translate/dtypes.h>
#include <tools/import/translate/lower/translator.h>

namespace torchbook::translate {

std::optional<std::string> Translator::path_of(const Node& node) const {
  if (node.is("Name")) {
    const auto id = node.text("id");
    if (frame_->scope.find(id) != nullptr) return std::nullopt;
    return frame_->scope.imported(id);
  }
  if (!node.is("Attribute")) return std::nullopt;
  auto path = path_of(node.child("value"));
  if (path) *path += fmt::format(".{}", node.text("attr"));
  return path;
}

/// Returns the letters of a constant of Python's module string; empty for other names.
static std::string_view letters_of_python(std::string_view path) {
  static const std::map<std::string_view, std::string_view> constants = {
      {"string.ascii_lowercase", "abcdefghijklmnopqrstuvwxyz"},
      {"string.ascii_uppercase", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
      {"string.ascii_letters", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"},
      {"string.digits", "0123456789"},
      {"string.punctuation", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"}};
  const auto found = constants.find(path);
  return found == constants.end() ? std::string_view() : found->second;
}

Value Translator::path_value(const std::string& path) {
  const auto name = path.substr(path.rfind('.') + 1);
  const bool of_torch = path == "torch." + name;
  const auto dtype = of_torch                  ? dtype_of_torch(name)
                     : path == "numpy." + name ? dtype_of_numpy(name)
                                               : cpp::Expr();
  if (dtype) return value_of(Kind::dtype, dtype);
  if (name == "inf" && (of_torch || path == "math.inf" || path == "numpy.inf" || path == "torch.math.inf")) {
    return infinity();
  }
  if ((name == "pi" || name == "e") && (of_torch || path == "math." + name || path == "numpy." + name)) {
    return value_of(Kind::floating, cpp::name("std::numbers::" + name));
  }
  if (const auto letters = letters_of_python(path); !letters.empty()) {
    auto value = value_of(Kind::string, cpp::string(letters));
    value.literal = true;
    return value;
  }
  if (path == "torch.__version__")
    throw NotPorted(
        "LibTorch does not know the build in torch.__version__, which a cell can print or display");
  const bool function = path.starts_with("torch.nn.functional.") || of_torch;
  if (function && !signatures_of(name).empty()) return function_of_torch(path);
  throw NotPorted("{} is not translated", path);
}

/// Notes where an expression that is printed or displayed only shows `torch.__version__`.
void Translator::note_shown(const Node& node) {
  const auto path = path_of(node.is("Call") ? node.child("func") : node);
  if (path == "torch.__version__" || path == "importlib.metadata.version") {
    shown_.emplace(node.line(), node.column());
  } else if (node.is("Tuple")) {
    for (const auto& each : node.list("elts")) note_shown(each);
  } else if (node.is("JoinedStr")) {
    for (const auto& part : node.list("values")) {
      if (part.is("FormattedValue")) note_shown(part.child("value"));
    }
  } else if (node.is("BinOp") && node.child("op").is("Mod") && node.child("left").is("Constant")) {
    note_shown(node.child("right"));
  } else if (node.is("Call") && node.child("func").is("Attribute") &&
             node.child("func").child("value").is("Constant")) {  // "{}".format(x)
    for (const auto& each : node.list("args")) note_shown(each);
    for (const auto& each : node.list("keywords")) note_shown(each.child("value"));
  }
}

/// `torch.__version__`, where it is only shown: Python's text also names the build, as `2.6.0+cpu`.
Value Translator::shown_release(const Node& node) {
  if (!shown_.contains({node.line(), node.column()})) return path_value("torch.__version__");
  shows_release_ = true;
  return value_of(Kind::string, cpp::name("TORCH_VERSION"));
}

Value Translator::attribute(const Node& node) {
  if (const auto path = path_of(node))
    return *path == "torch.__version__" ? shown_release(node) : path_value(*path);
  if (auto named = class_name(node)) return *named;
  const auto of = node.child("value");
  const auto name = node.text("attr");
  if (is_self(of) && frame_->of_class != nullptr) {
    const auto method = frame_->of_class->methods.find(name);
    if (method != frame_->of_class->methods.end() && method->second.is_property)
      return call_own_method(method->second, std::string(name), {});
    const auto member = frame_->of_class->members.find(name);
    const bool known = member != frame_->of_class->members.end();
    if (name == "training" && !known && frame_->of_class->is_module)
      return value_of(Kind::boolean, cpp::call("is_training", {}).with_only(cpp::reads(cpp::Place::memory)));
    if (!known) throw NotPorted("self.{} is not known", name);
    return own_member(name);
  }
  const auto value = expression(of);
  return value.is(Kind::new_class) ? class_attribute(node) : attribute_of(value, name);
}

/// Returns the value of `self.name`.
Value Translator::own_member(std::string_view name) {
  auto value = value_of(frame_->of_class->members.find(name)->second, member_of_self(name));
  value.temporary = false;
  return value;
}

/// `Config.rate`: a constant in a class, which nothing changes.
Value Translator::class_attribute(const Node& node) {
  const auto of = node.child("value");
  const auto& made = classes_.at(expression(of).type.name());
  if (made.is_autograd && node.text("attr") == "apply") return apply_of(made);
  const auto& constants = made.constants;
  const auto found = constants.find(node.text("attr"));
  const bool changes = !of.is("Name") || notebook_.uses.changed.contains(of.text("id"));
  if (found == constants.end() || changes)
    throw NotPorted("it reads an attribute of a class that is no constant");
  return constant(found->second);
}

}  // namespace torchbook::translate
