// Leaves out statements that only draw pictures: a golden has only texts.
#include <tools/import/translate/lower/translator.h>
#include <tools/import/translate/tables/signatures.h>

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
bool Translator::is_picture(const Node& node) const {
  if (const auto path = path_of(node)) return is_of_pictures(*path);
  if (node.is("Name")) {
    const auto* variable = frame_->scope.find(node.text("id"));
    return variable != nullptr && variable->type.is(Kind::picture);
  }
  if (node.is("Call")) return is_picture(node.child("func"));
  return (node.is("Attribute") || node.is("Subscript")) && is_picture(node.child("value"));
}

/// Whether a call with pure arguments changes nothing and draws no random numbers.
bool Translator::is_pure_call(const Node& call) {
  static const Words methods = {"cpu", "format", "items", "join", "keys", "numpy", "tolist", "values"};
  static const Words functions = {"dict",  "enumerate", "float", "int",    "len", "list", "max",   "min",
                                  "range", "reversed",  "round", "sorted", "str", "sum",  "tuple", "zip"};
  const auto called = call.child("func");
  if (is_picture(called)) return true;
  if (const auto path = path_of(called)) {
    const auto name = path->substr(path->rfind('.') + 1);
    const bool numpy = path->starts_with("numpy.") && !path->starts_with("numpy.random.");
    return numpy || path->starts_with("math.") || (path->starts_with("torch.") && only_computes(name));
  }
  if (called.is("Attribute"))
    return methods.contains(called.text("attr")) || only_computes(called.text("attr"));
  if (!called.is("Name")) return false;
  const auto* variable = scope().find(called.text("id"));
  if (variable == nullptr) return functions.contains(called.text("id"));
  if (!variable->missing.empty()) return false;
  const auto effects = variable->type.is(Kind::module)     ? effects_of_module(variable->type)
                       : variable->type.is(Kind::function) ? function_named(variable->type.name()).effects
                                                           : cpp::everything();
  return effects.writes.empty();
}

/// Whether evaluating a node changes nothing and draws no random numbers.
bool Translator::is_pure(const Node& node) {
  return !node.any([&](const Node& each) {
    const bool acts = each.is("NamedExpr") || each.is("Await") || each.is("Yield") || each.is("YieldFrom");
    return acts || (each.is("Call") && !is_pure_call(each));
  });
}

/// Whether a statement only draws pictures, or gives names to pictures.
bool Translator::only_draws_pictures(const Node& node) {
  if (node.is("Expr"))
    return node.child("value").is("Call") && is_picture(node.child("value")) && is_pure(node);
  if (node.is("Assign")) {
    const auto targets = node.list("targets");
    const bool sets = std::all_of(targets.begin(), targets.end(), [&](const Node& target) {
      return !target.is("Name") && !target.is("Tuple") && !target.is("List") && is_picture(target);
    });
    return (sets || is_picture(node.child("value"))) && is_pure(node);
  }
  if (node.is("FunctionDef")) return function_only_draws(node);
  return node.is("For") && loops_over_pictures(node);
}

/// `def show(xs, title): plt.plot(xs); plt.title(title)`: whether a call changes nothing and gives no value.
bool Translator::function_only_draws(const Node& node) {
  if (node.child("args").has("kwarg")) return false;
  const auto body = node.list("body");
  auto own = assigned_names(body);
  for (const auto& parameter : function_of(node, {}, /*is_method=*/false).parameters) {
    own.insert(parameter.name);
    if (parameter.otherwise && !is_pure(*parameter.otherwise)) return false;
  }
  const bool hides = std::any_of(own.begin(), own.end(), [&](const std::string& name) {
    const auto* variable = scope().find(name);
    return scope().imported(name) || (variable != nullptr && variable->type.is(Kind::picture));
  });
  // `calls` means what it is given.
  const bool calls = node.any([&](const Node& each) { return own.contains(called_name(each)); });
  const bool draws = node.any([&](const Node& each) { return each.is("Call") && is_picture(each); });
  if (hides || calls || !draws || !node.list("decorator_list").empty()) return false;
  const auto hidden = hidden_by(own);
  scope().open();
  const bool only =
      std::all_of(body.begin(), body.end(), [&](const Node& each) { return draws_inside(each); });
  scope().close();
  for (const auto& [name, variable] : hidden) scope().show(name, variable);
  return only;
}

/// Whether a statement of a function draws pictures, or assigns the function's own names.
bool Translator::draws_inside(const Node& node) {
  const auto all = [&](const char* block) {
    const auto statements = node.list(block);
    return std::all_of(statements.begin(), statements.end(),
                       [&](const Node& each) { return draws_inside(each); });
  };
  if (node.is("Pass") || (node.is("Expr") && node.child("value").is("Constant"))) return true;
  if (node.is("If")) return is_pure(node.child("test")) && all("body") && all("orelse");
  if (node.is("For")) return is_pure(node.child("iter")) && all("body") && all("orelse");
  if (node.is("Return")) return !node.has("value") || (is_picture(node.child("value")) && is_pure(node));
  if (only_draws_pictures(node)) {
    for (const auto& name : assigned_names({node})) scope().declare(name, Kind::picture);
    return true;
  }
  const auto targets = node.is("Assign") ? node.list("targets") : std::vector<Node>{};
  return !targets.empty() && is_pure(node) &&
         std::all_of(targets.begin(), targets.end(), [](const Node& target) { return target.is("Name"); });
}

/// `for ax, image in zip(axes, images): ax.imshow(image)`, or `for y in ys: plt.plot(y)`
bool Translator::loops_over_pictures(const Node& node) {
  const bool over_pictures = node.child("iter").any([&](const Node& each) { return is_picture(each); });
  if (!node.list("orelse").empty() || !is_pure(node.child("iter"))) return false;
  const auto body = node.list("body");
  if (!over_pictures)
    return std::all_of(body.begin(), body.end(),
                       [&](const Node& each) { return each.is("Expr") && only_draws_pictures(each); });
  const auto hidden = hidden_by(assigned_to(node.child("target")));
  scope().open();
  for (const auto& name : assigned_names({node})) scope().declare(name, Kind::picture);
  const bool draws = std::all_of(body.begin(), body.end(), [&](const Node& each) {
    const bool calls = each.is("Expr") && each.child("value").is("Call");
    return (each.is("Assign") || calls || each.is("For")) && is_pure(each);
  });
  scope().close();
  for (const auto& [name, variable] : hidden) scope().show(name, variable);
  return draws;
}

/// Leaves out a statement that only draws pictures. The names that it assigns represent pictures.
/// Names that a loop assigns become unknown.
void Translator::leave_out(const Node& node) {
  ++pictures_;
  for (const auto& name : assigned_names({node})) {
    if (node.is("For")) {
      scope().lose(name, "a loop assigns it that only draws pictures");
    } else {
      scope().declare(name, Kind::picture);
    }
  }
}

}  // namespace torchbook::translate
