#include <tools/import/translate/classes/classes.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/comprehensions.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/kinds/picture.h>
#include <tools/import/translate/rows/signatures.h>
#include <tools/import/translate/statements/blocks.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

using Words = std::set<std::string_view>;

bool is_of_pictures(std::string_view path) {
  static const Words libraries = {"matplotlib", "mpl_toolkits", "plotly", "pylab", "seaborn", "torchviz"};
  return libraries.contains(path.substr(0, path.find('.')));
}

/// Whether LibTorch has the function, and none of its overloads changes an argument or draws random
/// numbers.
bool only_computes(std::string_view function) {
  const auto& signatures = signatures_of(function);
  return !signatures.empty() && std::none_of(signatures.begin(), signatures.end(),
                                             [](const Signature& each) { return each.writes || each.draws; });
}

}  // namespace

/// Whether an expression is a plotting library, a picture, or made by one of these: `plt.figure()`,
/// `axes[0].lines`.
static bool is_picture(Builder& b, const Node& node) {
  if (const auto path = b.path_of(node)) return is_of_pictures(*path);
  if (node.is(Ast::Name)) {
    const auto* variable = b.frame->scope.find(node.id());
    return variable != nullptr && variable->type.is(Kind::picture);
  }
  if (node.is(Ast::Call)) return is_picture(b, node.func());
  return (node.is(Ast::Attribute) || node.is(Ast::Subscript)) && is_picture(b, node.value());
}

/// Whether a call with pure arguments changes nothing and draws no random numbers.
static bool is_pure_call(Builder& b, const Node& call) {
  static const Words methods = {"cpu", "format", "items", "join", "keys", "numpy", "tolist", "values"};
  static const Words functions = {"dict",  "enumerate", "float", "int",    "len", "list", "max",   "min",
                                  "range", "reversed",  "round", "sorted", "str", "sum",  "tuple", "zip"};
  const auto called = call.func();
  if (is_picture(b, called)) return true;
  if (const auto path = b.path_of(called)) {
    const auto name = path->substr(path->rfind('.') + 1);
    const bool numpy = path->starts_with("numpy.") && !path->starts_with("numpy.random.");
    return numpy || path->starts_with("math.") || (path->starts_with("torch.") && only_computes(name));
  }
  if (called.is(Ast::Attribute)) return methods.contains(called.attr()) || only_computes(called.attr());
  if (!called.is(Ast::Name)) return false;
  const auto* variable = b.scope().find(called.id());
  if (variable == nullptr) return functions.contains(called.id());
  if (!variable->missing.empty()) return false;
  const auto effects = variable->type.is(Kind::module)     ? effects_of_module(b, variable->type)
                       : variable->type.is(Kind::function) ? b.function_named(variable->type.name()).effects
                                                           : cpp::everything();
  return effects.writes.empty();
}

/// Whether evaluating a node changes nothing and draws no random numbers.
static bool is_pure(Builder& b, const Node& node) {
  return !node.any([&](const Node& each) {
    const bool acts =
        each.is(Ast::NamedExpr) || each.is(Ast::Await) || each.is(Ast::Yield) || each.is(Ast::YieldFrom);
    return acts || (each.is(Ast::Call) && !is_pure_call(b, each));
  });
}

/// Whether a statement of a function draws pictures, or assigns the function's own names.
static bool draws_inside(Builder& b, const Node& node) {
  const auto all = [&](const std::vector<Node>& statements) {
    return std::all_of(statements.begin(), statements.end(),
                       [&](const Node& each) { return draws_inside(b, each); });
  };
  if (node.is(Ast::Pass) || (node.is(Ast::Expr) && node.value().is(Ast::Constant))) return true;
  if (node.is(Ast::If)) return is_pure(b, node.test()) && all(node.body()) && all(node.orelse());
  if (node.is(Ast::For)) return is_pure(b, node.iter()) && all(node.body()) && all(node.orelse());
  if (node.is(Ast::Return)) return !node.has_value() || (is_picture(b, node.value()) && is_pure(b, node));
  if (only_draws_pictures(b, node)) {
    for (const auto& name : assigned_names({node})) b.scope().declare(name, Kind::picture);
    return true;
  }
  const auto targets = node.is(Ast::Assign) ? node.targets() : std::vector<Node>{};
  return !targets.empty() && is_pure(b, node) &&
         std::all_of(targets.begin(), targets.end(), [](const Node& target) { return target.is(Ast::Name); });
}

/// `def show(xs, title): plt.plot(xs); plt.title(title)`: whether a call changes nothing and returns None.
static bool function_only_draws(Builder& b, const Node& node) {
  if (node.parameters().has_kwarg()) return false;
  const auto body = node.body();
  auto own = assigned_names(body);
  for (const auto& parameter : function_of(node, {}, /*is_method=*/false).parameters) {
    own.insert(parameter.name);
    if (parameter.default_value && !is_pure(b, *parameter.default_value)) return false;
  }
  const bool hides = std::any_of(own.begin(), own.end(), [&](const std::string& name) {
    const auto* variable = b.scope().find(name);
    return b.scope().imported(name) || (variable != nullptr && variable->type.is(Kind::picture));
  });
  // Inside the function, the parameter hides the notebook's name.
  const bool calls = node.any([&](const Node& each) { return own.contains(called_name(each)); });
  const bool draws = node.any([&](const Node& each) { return each.is(Ast::Call) && is_picture(b, each); });
  if (hides || calls || !draws || !node.decorator_list().empty()) return false;
  const auto hidden = hidden_by(b, own);
  b.scope().open();
  const bool only =
      std::all_of(body.begin(), body.end(), [&](const Node& each) { return draws_inside(b, each); });
  b.scope().close();
  for (const auto& [name, variable] : hidden) b.scope().show(name, variable);
  return only;
}

/// `for ax, image in zip(axes, images): ax.imshow(image)`, or `for y in ys: plt.plot(y)`
static bool loops_over_pictures(Builder& b, const Node& node) {
  const bool over_pictures = node.iter().any([&](const Node& each) { return is_picture(b, each); });
  if (!node.orelse().empty() || !is_pure(b, node.iter())) return false;
  const auto body = node.body();
  if (!over_pictures)
    return std::all_of(body.begin(), body.end(),
                       [&](const Node& each) { return each.is(Ast::Expr) && only_draws_pictures(b, each); });
  const auto hidden = hidden_by(b, assigned_to(node.target()));
  b.scope().open();
  for (const auto& name : assigned_names({node})) b.scope().declare(name, Kind::picture);
  const bool draws = std::all_of(body.begin(), body.end(), [&](const Node& each) {
    const bool calls = each.is(Ast::Expr) && each.value().is(Ast::Call);
    return (each.is(Ast::Assign) || calls || each.is(Ast::For)) && is_pure(b, each);
  });
  b.scope().close();
  for (const auto& [name, variable] : hidden) b.scope().show(name, variable);
  return draws;
}

bool only_draws_pictures(Builder& b, const Node& node) {
  if (node.is(Ast::Expr))
    return node.value().is(Ast::Call) && is_picture(b, node.value()) && is_pure(b, node);
  if (node.is(Ast::Assign)) {
    const auto targets = node.targets();
    const bool sets = std::all_of(targets.begin(), targets.end(), [&](const Node& target) {
      return !target.is(Ast::Name) && !target.is(Ast::Tuple) && !target.is(Ast::List) &&
             is_picture(b, target);
    });
    return (sets || is_picture(b, node.value())) && is_pure(b, node);
  }
  if (node.is(Ast::FunctionDef)) return function_only_draws(b, node);
  return node.is(Ast::For) && loops_over_pictures(b, node);
}

void leave_out(Builder& b, const Node& node) {
  ++b.found.pictures;
  for (const auto& name : assigned_names({node})) {
    if (node.is(Ast::For)) {
      b.scope().lose(name, "it is assigned in a loop that only draws pictures");
    } else {
      b.scope().declare(name, Kind::picture);
    }
  }
}

}  // namespace torchbook::translate
