#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/attributes.h>
#include <tools/import/translate/expressions/conditions.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/printing.h>
#include <tools/import/translate/functions/functions.h>
#include <tools/import/translate/functions/optionals.h>
#include <tools/import/translate/kinds/dict.h>
#include <tools/import/translate/kinds/file.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/picture.h>
#include <tools/import/translate/kinds/record.h>
#include <tools/import/translate/rows/layers.h>
#include <tools/import/translate/statements/assignments.h>
#include <tools/import/translate/statements/blocks.h>
#include <tools/import/translate/statements/changes.h>
#include <tools/import/translate/statements/globals.h>
#include <tools/import/translate/statements/loops.h>
#include <tools/import/translate/statements/statements.h>

namespace torchbook::translate {

/// Makes the classes in a value print as Jupyter displays them. Returns whether there are any.
static bool show_classes(Value& value) {
  if (value.is(Kind::class_name) && !value.literal) refuse("it displays a class that has a name");
  bool any = value.is(Kind::class_name);
  if (any) {  // "<class 'int'>"
    const auto& text = value.expr.text();
    const auto first = text.find('\'') + 1;
    value.expr =
        cpp::braces({cpp::string(text.substr(first, text.find('\'', first) - first))}, "torchbook::Class");
    value.type = shown_type("torchbook::Class");
    value.literal = false;
  }
  for (auto& element : value.elements) any = show_classes(element) || any;
  if (any && value.is(Kind::list)) value.type = list_of(value.elements[0].type);
  return any;
}

static void simple_statement(Builder& b, const Node& node) {
  if (node.is(Ast::Return)) return return_value(b, node);
  if (node.is(Ast::Pass)) return;
  if (node.is(Ast::Delete)) {
    for (const auto& target : node.targets()) {
      if (target.is(Ast::Subscript)) {
        delete_entry(b, target);
        continue;
      }
      if (!target.is(Ast::Name)) refuse("it deletes something other than a name");
      b.scope().lose(std::string(target.id()), fmt::format("{} was deleted", target.id()));
    }
    return;
  }
  if (node.is(Ast::Break) || node.is(Ast::Continue)) {
    ++b.frame->branches;  // around the rest of the loop's body
    if (node.is(Ast::Break) && !b.frame->break_flag.empty())
      b.emit(cpp::Assign{.to = cpp::name(b.frame->break_flag), .value = cpp::boolean(true)});
    return b.emit(cpp::Plain{node.is(Ast::Break) ? "break;" : "continue;"});
  }
  if (node.is(Ast::Raise)) return raise(b, node);
  if (node.is(Ast::Assert)) {
    const auto test = true_or_false(b, node.test()).expr;
    std::vector<cpp::Expr> parts = {test};
    if (node.has_msg()) parts.push_back(expression(b, node.msg()).expr);
    return b.emit(cpp::Evaluate{cpp::call("TORCH_CHECK", std::move(parts))});
  }
  refuse("{} is not translated", in_words(node));
}

static void statement_of_kind(Builder& b, const Node& node) {
  if (only_draws_pictures(b, node)) return leave_out(b, node);
  if (node.is(Ast::Expr)) return expression_statement(b, node, false);
  if (node.is(Ast::Assign) || node.is(Ast::AnnAssign)) return assign(b, node);
  if (node.is(Ast::AugAssign)) return change(b, node);
  if (node.is(Ast::Import) || node.is(Ast::ImportFrom)) return import(b, node);
  if (node.is(Ast::FunctionDef) || node.is(Ast::ClassDef)) return definition(b, node);
  if (node.is(Ast::Global)) return declare_globals(b, node);
  if (const auto branch = node.is(Ast::If) ? known_branch(b, node) : std::nullopt) {
    for (const auto& each : *branch) statement(b, each);
    return;
  }
  if (node.is(Ast::If)) return hoisted(b, node, [&] { if_block(b, node); });
  if (node.is(Ast::For)) return hoisted(b, node, [&] { for_block(b, node); });
  if (node.is(Ast::While)) return hoisted(b, node, [&] { while_block(b, node); });
  if (node.is(Ast::Try)) return hoisted(b, node, [&] { try_block(b, node); });
  if (node.is(Ast::With) && with_file(b, node)) return;
  if (node.is(Ast::With)) return hoisted(b, node, [&] { with_block(b, node); });
  simple_statement(b, node);
}

void statement(Builder& b, const Node& node) {
  with_line(node.line(), [&] { statement_of_kind(b, node); });
}

bool tell_refusals(Builder& b, const std::function<void()>& write) {
  const Snapshot snapshot(b);
  try {
    write();
    return true;
  } catch (const NotPorted& error) {
    if (error.of_cell != b.here.cell)
      b.here.reasons->push_back({.line = error.line, .why = error.what(), .of_cell = error.of_cell});
  }
  snapshot.restore();
  return false;
}

bool tell_refusals(Builder& b, const Node& node) {
  if (tell_refusals(b, [&] { statement(b, node); })) return true;
  const auto why = fmt::format("it comes from cell @{}", b.here.cell);
  for (const auto& name : assigned_names({node})) b.scope().lose(name, why, b.here.cell);
  return false;
}

/// `from torch.nn import *` defines the names of the layers. Another module may define any name. So
/// all names become unknown, also those of built-in functions that torch and NumPy redefine.
static void import_all(Builder& b, const std::string& module) {
  if (module == "torch.nn" && b.scope().is_empty()) {
    for (const auto& layer : layer_names()) b.scope().import(layer, "torch.nn." + layer);
    return;
  }
  const auto why = fmt::format("it imports all names of {}, which are not known", module);
  b.scope().lose_all(why);
  for (const auto* name : {"abs", "all", "any", "max", "min", "pow", "range", "round", "sum"})
    b.scope().lose(name, why);
  refuse(why);
}

void import(Builder& b, const Node& node) {
  const bool from = node.is(Ast::ImportFrom);
  if (from && node.level() != 0) refuse("it imports a module beside the notebook");
  for (const auto& alias : node.names()) {
    const auto name = std::string(alias.name());
    if (name == "*") {
      import_all(b, std::string(node.module()));
      continue;
    }
    const auto path = from ? fmt::format("{}.{}", node.module(), name) : name;
    if (alias.has_asname()) {
      b.scope().import(std::string(alias.asname()), path);
    } else {
      const auto first = name.substr(0, name.find('.'));
      b.scope().import(first, from ? path : first);
    }
  }
}

/// `print(x) if x > 3 else None`: an if around calls that return None. Returns whether it is one.
static bool if_of_calls(Builder& b, const Node& node) {
  const auto yes = expression(b, node.single_body());
  const auto no = expression(b, node.else_value());
  if (!yes.is(Kind::none) || !no.is(Kind::none)) return false;
  cpp::If written{.test = true_or_false(b, node.test()).expr};
  if (yes.acts()) written.body = b.captured([&] { b.emit(cpp::Evaluate{yes.expr}); });
  if (no.acts()) written.else_body = b.captured([&] { b.emit(cpp::Evaluate{no.expr}); });
  b.emit(std::move(written));
  return true;
}

void expression_statement(Builder& b, const Node& node, bool displays) {
  const auto inner = node.value();
  if (!displays && inner.is(Ast::Constant)) return;  // a docstring
  if (inner.is(Ast::IfExp) && if_of_calls(b, inner)) return;
  if (b.frame->is_notebook && called_name(inner) == "print" && b.scope().find("print") == nullptr) {
    for (const auto& each : inner.args()) note_shown(b, each);
  } else if (displays) {
    note_shown(b, inner);
  }
  auto value = expression(b, inner);
  if (displays && !value.displayed.is(Kind::none)) {  // `model.eval()`
    b.emit(cpp::Evaluate{value.expr});
    value = value_of(value.displayed, value.returned_module);
  }
  if (displays && value.is(Kind::record)) value = record_as_dict(b, value);
  if (displays) show_classes(value);
  if (displays && !value.is(Kind::none) && !value.is(Kind::generator))
    return b.emit(
        cpp::Evaluate{cpp::method(cpp::name("nb"), "display", {with_tensors(value, printed(b, value))})});
  const bool of_function = b.scope().find(called_name(inner)) != nullptr;
  const bool of_place = value.expr.is(cpp::Kind::let) && cpp::is_stored(value.expr.part(0));
  if (of_place) return b.add(value.expr.node().body);
  if ((value.acts() || b.here.in_try || of_function) && value.expr) b.emit(cpp::Evaluate{value.expr});
}

}  // namespace torchbook::translate
