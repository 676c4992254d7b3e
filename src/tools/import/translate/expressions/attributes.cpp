#include <fmt/format.h>
#include <tools/import/translate/classes/autograd_functions.h>
#include <tools/import/translate/classes/classes.h>
#include <tools/import/translate/classes/members.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/expressions/attributes.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/functions/functions.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/rows/builtins.h>
#include <tools/import/translate/rows/signatures.h>
#include <tools/import/translate/statements/narrowing.h>

namespace torchbook::translate {

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

Value path_value(Builder& b, const std::string& path) {
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
    refuse("LibTorch does not know the build in torch.__version__, which a cell can print or display");
  const bool function = path.starts_with("torch.nn.functional.") || of_torch;
  if (function && !signatures_of(name).empty()) return function_of_torch(b, path);
  refuse("{} is not translated", path);
}

void note_shown(Builder& b, const Node& node) {
  const auto path = b.path_of(node.is(Ast::Call) ? node.func() : node);
  if (path == "torch.__version__" || path == "importlib.metadata.version") {
    b.found.shown.emplace(node.line(), node.column());
  } else if (node.is(Ast::Tuple)) {
    for (const auto& each : node.elts()) note_shown(b, each);
  } else if (node.is(Ast::JoinedStr)) {
    for (const auto& part : node.values()) {
      if (part.is(Ast::FormattedValue)) note_shown(b, part.value());
    }
  } else if (node.is(Ast::BinOp) && node.op().is(Ast::Mod) && node.left().is(Ast::Constant)) {
    note_shown(b, node.right());
  } else if (node.is(Ast::Call) && node.func().is(Ast::Attribute) &&
             node.func().value().is(Ast::Constant)) {  // "{}".format(x)
    for (const auto& each : node.args()) note_shown(b, each);
    for (const auto& each : node.keywords()) note_shown(b, each.value());
  }
}

Value shown_release(Builder& b, const Node& node) {
  if (!b.found.shown.contains({node.line(), node.column()})) return path_value(b, "torch.__version__");
  b.found.shows_release = true;
  return value_of(Kind::string, cpp::name("TORCH_VERSION"));
}

Value attribute(Builder& b, const Node& node) {
  if (const auto path = b.path_of(node))
    return *path == "torch.__version__" ? shown_release(b, node) : path_value(b, *path);
  if (auto named = class_name(b, node)) return *named;
  const auto of = node.value();
  const auto name = node.attr();
  if (is_self(of) && b.frame->of_class != nullptr) {
    const auto method = b.frame->of_class->methods.find(name);
    if (method != b.frame->of_class->methods.end() && method->second.is_property)
      return call_own_method(b, method->second, std::string(name), {});
    const auto member = b.frame->of_class->members.find(name);
    const bool known = member != b.frame->of_class->members.end();
    if (name == "training" && !known && b.frame->of_class->is_module)
      return value_of(Kind::boolean, cpp::call("is_training", {}).with_only(cpp::reads(cpp::Place::memory)));
    if (!known) refuse("self.{} is not known", name);
    return own_member(b, name);
  }
  const auto value = expression(b, of);
  return value.is(Kind::new_class) ? class_attribute(b, node) : attribute_of(b, value, name);
}

Value own_member(Builder& b, std::string_view name) {
  auto value = not_none(value_of(b.frame->of_class->members.find(name)->second, member_of_self(b, name)));
  value.temporary = false;
  return value;
}

Value class_attribute(Builder& b, const Node& node) {
  const auto of = node.value();
  const auto& made = b.defined.classes.at(expression(b, of).type.name());
  if (made.is_autograd && node.attr() == "apply") return apply_of(made);
  const auto& constants = made.constants;
  const auto found = constants.find(node.attr());
  const bool changes = !of.is(Ast::Name) || b.notebook.uses.changed.contains(of.id());
  if (found == constants.end() || changes) refuse("it reads an attribute of a class that is not a constant");
  return constant(b, found->second);
}

}  // namespace torchbook::translate
