// Translates assignments, imports and other simple statements.
#include <fmt/format.h>
#include <tools/import/translate/lower/translator.h>
#include <tools/import/translate/tables/layers.h>

#include <algorithm>

namespace torchbook::translate {

void Translator::statement(const Node& node) {
  with_line(node.line(), [&] { statement_of_kind(node); });
}

void Translator::statement_of_kind(const Node& node) {
  if (only_draws_pictures(node)) return leave_out(node);
  if (node.is("Expr")) return expression_statement(node, false);
  if (node.is("Assign") || node.is("AnnAssign")) return assign(node);
  if (node.is("AugAssign")) return change(node);
  if (node.is("Import") || node.is("ImportFrom")) return import(node);
  if (node.is("FunctionDef") || node.is("ClassDef")) return definition(node);
  if (const auto branch = node.is("If") ? known_branch(node) : std::nullopt) {
    for (const auto& each : *branch) statement(each);
    return;
  }
  if (node.is("If")) return hoisted(node, [&] { if_block(node); });
  if (node.is("For")) return hoisted(node, [&] { for_block(node); });
  if (node.is("While")) return hoisted(node, [&] { while_block(node); });
  if (node.is("Try")) return hoisted(node, [&] { try_block(node); });
  if (node.is("With") && with_file(node)) return;
  if (node.is("With")) return hoisted(node, [&] { with_block(node); });
  simple_statement(node);
}

void Translator::simple_statement(const Node& node) {
  if (node.is("Return")) return return_value(node);
  if (node.is("Pass")) return;
  if (node.is("Delete")) {
    for (const auto& target : node.list("targets")) {
      if (target.is("Subscript")) {
        delete_entry(target);
        continue;
      }
      if (!target.is("Name")) throw NotPorted("it deletes something else than a name");
      scope().lose(std::string(target.text("id")), fmt::format("{} was deleted", target.text("id")));
    }
    return;
  }
  if (node.is("Break") || node.is("Continue")) {
    ++frame_->branches;  // around the rest of the loop's body
    if (node.is("Break") && !frame_->broken.empty())
      emit(cpp::Assign{.to = cpp::name(frame_->broken), .value = cpp::boolean(true)});
    return emit(cpp::Plain{node.is("Break") ? "break;" : "continue;"});
  }
  if (node.is("Raise")) return raise(node);
  if (node.is("Assert")) {
    const auto test = true_or_false(node.child("test")).expr;
    std::vector<cpp::Expr> parts = {test};
    if (node.has("msg")) parts.push_back(expression(node.child("msg")).expr);
    return emit(cpp::Evaluate{cpp::call("TORCH_CHECK", std::move(parts))});
  }
  throw NotPorted("{} is not translated", in_words(node));
}

void Translator::import(const Node& node) {
  const bool from = node.is("ImportFrom");
  if (from && node.number("level") != 0) throw NotPorted("it imports a module beside the notebook");
  for (const auto& alias : node.list("names")) {
    const auto name = std::string(alias.text("name"));
    if (name == "*") {
      import_all(std::string(node.text("module")));
      continue;
    }
    const auto path = from ? fmt::format("{}.{}", node.text("module"), name) : name;
    if (alias.has("asname")) {
      scope().import(std::string(alias.text("asname")), path);
    } else {
      const auto first = name.substr(0, name.find('.'));
      scope().import(first, from ? path : first);
    }
  }
}

/// `from torch.nn import *` defines the names of the layers. Another module may define any name. So
/// all names become unknown, also those of built-in functions that torch and NumPy redefine.
void Translator::import_all(const std::string& module) {
  if (module == "torch.nn" && scope().is_empty()) {
    for (const auto& layer : layer_names()) scope().import(layer, "torch.nn." + layer);
    return;
  }
  const auto why = fmt::format("it imports all names of {}, and which those are is not known", module);
  scope().lose_all(why);
  for (const auto* name : {"abs", "all", "any", "max", "min", "pow", "range", "round", "sum"})
    scope().lose(name, why);
  throw NotPorted(why);
}

/// `print(x) if x > 3 else None`: an if around calls that return None. Returns whether it is one.
bool Translator::if_of_calls(const Node& node) {
  const auto part = [&](const char* name) { return expression(node.child(name)); };
  const auto yes = part("body");
  const auto no = part("orelse");
  if (!yes.is(Kind::none) || !no.is(Kind::none)) return false;
  cpp::If written{.test = true_or_false(node.child("test")).expr};
  if (yes.acts()) written.body = captured([&] { emit(cpp::Evaluate{yes.expr}); });
  if (no.acts()) written.otherwise = captured([&] { emit(cpp::Evaluate{no.expr}); });
  emit(std::move(written));
  return true;
}

/// Makes the classes in a value print as Jupyter displays them. Returns whether there are any.
static bool show_classes(Value& value) {
  if (value.is(Kind::class_name) && !value.literal) throw NotPorted("it displays a class that has a name");
  bool any = value.is(Kind::class_name);
  if (any) {  // "<class 'int'>"
    const auto& text = value.expr.text();
    const auto first = text.find('\'') + 1;
    value.expr =
        cpp::braces({cpp::string(text.substr(first, text.find('\'', first) - first))}, "torchbook::Class");
    value.type = object_type("torchbook::Class");
    value.literal = false;
  }
  for (auto& element : value.elements) any = show_classes(element) || any;
  if (any && value.is(Kind::list)) value.type = list_of(value.elements[0].type);
  return any;
}

void Translator::expression_statement(const Node& node, bool displays) {
  const auto inner = node.child("value");
  if (!displays && inner.is("Constant")) return;  // a docstring
  if (inner.is("IfExp") && if_of_calls(inner)) return;
  if (frame_->is_notebook && called_name(inner) == "print" && scope().find("print") == nullptr) {
    for (const auto& each : inner.list("args")) note_shown(each);
  } else if (displays) {
    note_shown(inner);
  }
  auto value = expression(inner);
  if (displays && !value.displayed.is(Kind::none)) {  // `model.eval()`
    emit(cpp::Evaluate{value.expr});
    value = value_of(value.displayed, value.gives);
  }
  if (displays) show_classes(value);
  if (displays && !value.is(Kind::none) && !value.is(Kind::generator))
    return emit(
        cpp::Evaluate{cpp::method(cpp::name("nb"), "display", {with_tensors(value, printed(value))})});
  const bool of_function = scope().find(called_name(inner)) != nullptr;
  const bool of_place = value.expr.is(cpp::Kind::let) && cpp::is_stored(value.expr.part(0));
  if (of_place) return add(value.expr.node().body);
  if ((value.acts() || tries_ || of_function) && value.expr) emit(cpp::Evaluate{value.expr});
}

}  // namespace torchbook::translate
