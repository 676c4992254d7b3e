#include <fmt/format.h>
#include <tools/import/translate/classes/classes.h>
#include <tools/import/translate/classes/common_bases.h>
#include <tools/import/translate/classes/members.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/conditions.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/functions/function_calls.h>
#include <tools/import/translate/rows/layers.h>
#include <tools/import/translate/statements/narrowing.h>

#include <algorithm>
#include <cctype>

namespace torchbook::translate {
namespace {

/// Returns the node of `x` in `type(x)` or `x.__class__`; nullopt for anything else.
std::optional<Node> asked_of(const Node& node) {
  if (node.is(Ast::Attribute) && node.attr() == "__class__") return node.value();
  const bool type = called_name(node) == "type" && node.args().size() == 1;
  return type ? std::optional(node.args()[0]) : std::nullopt;
}

/// Returns the node of the module and that of the class in `isinstance(m, C)` or `type(m) == C`.
std::optional<std::pair<Node, Node>> class_test(const Node& node) {
  if (called_name(node) == "isinstance" && node.args().size() == 2)
    return std::pair(node.args()[0], node.args()[1]);
  if (!node.is(Ast::Compare) || node.ops().size() != 1) return std::nullopt;
  const auto operation = node.ops()[0].kind();
  const auto of = asked_of(node.left());
  if (!of || (operation != Ast::Eq && operation != Ast::Is)) return std::nullopt;
  return std::pair(*of, node.comparators()[0]);
}

}  // namespace

/// Returns a name for a variable of the class: `linear`.
static std::string wish_of_class(std::string_view type) {
  auto hint = std::string(type.substr(type.rfind(':') + 1));
  std::transform(hint.begin(), hint.end(), hint.begin(), [](unsigned char c) { return std::tolower(c); });
  return hint;
}

std::optional<Value> class_name(Builder& b, const Node& node) {
  if (node.attr() != "__name__") return std::nullopt;
  const auto of = asked_of(node.value());
  if (!of) return std::nullopt;
  const auto module = expression(b, *of);
  if (const auto* made = module.is(Kind::object) ? b.class_of(module.type) : nullptr) {
    if (!made->is_common_base) return value_of(Kind::string, cpp::string(made->nodes.back().name()));
    return value_of(Kind::string, method_of(b, module, "class_name").with_only({}));
  }
  const auto* error = module.is(Kind::error) && of->is(Ast::Name) ? b.scope().find(of->id()) : nullptr;
  if (error != nullptr && !error->raised.empty()) return value_of(Kind::string, cpp::string(error->raised));
  if (!module.is(Kind::module)) refuse("it tests the class of {}", in_words(module.type));
  need_to_print_modules(b);
  return value_of(Kind::string, cpp::call("torchbook::nn::class_name", {module_itself(module)}));
}

/// Returns the class in C++ that a node names: `torchbook::nn::Linear`.
static std::string module_class(Builder& b, const Node& node) {
  if (const auto path = b.path_of(node); path && path->starts_with("torch.nn.")) {
    const auto* layer = layer_named(path->substr(9));
    if (layer == nullptr) refuse("nn.{} is not translated", path->substr(9));
    if (layer->is_lazy()) refuse("it tests whether a layer is lazy");
    return layer->type();
  }
  const auto named = expression(b, node);
  if (!named.is(Kind::new_class)) refuse("a module's class is compared with another value");
  return b.defined.classes.at(named.type.name()).code;
}

std::optional<Narrowed> narrowed(Builder& b, const Node& test, cpp::If& head) {
  const bool more = test.is(Ast::BoolOp) && test.op().is(Ast::And);
  const auto first = more ? test.values()[0] : test;
  const auto asked = class_test(first);
  if (!asked || !asked->first.is(Ast::Name)) return std::nullopt;
  const auto name = std::string(asked->first.id());
  const auto module = expression(b, asked->first);
  if (!module.is(Kind::module) && !module.is(Kind::object)) return std::nullopt;
  const auto* base = b.class_of(module.type);
  const bool of_base = base != nullptr && base->is_common_base;
  const bool unknown =
      module.is(Kind::module) && (is_some_module(module.type) || module.type.is(types::Held::unknown));
  if (module.is(Kind::object) ? !of_base : !unknown) refuse("it tests a class that is known");
  const auto object = of_base ? class_in_base(b, *base, asked->second) : Type{};
  const auto type = of_base ? b.class_of(object)->code : module_class(b, asked->second);
  const auto code = b.scope().fresh(wish_of_class(type));
  Narrowed result{.name = name, .before = *b.scope().find(name)};
  auto inside = result.before;
  inside.type = of_base ? object : module_type(type, {}, types::Held::pointer);
  inside.code = code;
  b.scope().show(name, inside);
  head.declared = (of_base ? "const auto " : "auto* ") + code;
  const bool exact = called_name(first) != "isinstance" && b.notebook.uses.has_lazy_layers;
  head.initial = of_base ? cpp::call(fmt::format("std::dynamic_pointer_cast<{}>", type), {module.expr})
                 : exact ? cpp::call(fmt::format("torchbook::nn::as_made<{}>", type), {module_itself(module)})
                         : method_of_module(module, fmt::format("as<{}>", type));
  if (!more) return result;
  head.test = cpp::binary(cpp::name(code), "!=", cpp::name("nullptr"));
  const auto values = test.values();
  for (std::size_t i = 1; i < values.size(); ++i)
    head.test = cpp::binary(head.test, "&&", true_or_false(b, values[i]).expr);
  return result;
}

Value apply(Builder& b, const Value& module, const Node& function) {
  const auto each = module_type(some_module);
  cpp::Expr code;
  Function* called = nullptr;
  const bool own = is_of_self(function) && b.frame->of_class != nullptr;
  if (own) {
    const auto method = b.frame->of_class->methods.find(function.attr());
    if (method == b.frame->of_class->methods.end()) refuse("apply takes something other than a function");
    called = &method->second;
    const auto call = cpp::call(function.attr(), {cpp::name("each")});
    code = cpp::lambda("this", {{.type = "torch::nn::Module&", .name = "each"}},
                       {{.kind = cpp::Evaluate{call}}});
  } else {
    const auto named = expression(b, function);
    if (!named.is(Kind::function)) refuse("apply takes something other than a function");
    called = &b.function_named(named.type.name());
    code = named.expr;
  }
  if (called->parameters.size() != 1) refuse("apply takes a function of several arguments");
  check_call(b, *called, {each});
  if (!called->translated && !own) refuse("it calls a function that is not ported");
  auto effects = called->translated ? called->effects : cpp::everything();
  effects.add(cpp::writes(cpp::Place::memory));
  auto value =
      value_of(Kind::none, cpp::call("torchbook::nn::apply", {module_itself(module), code}).with(effects));
  value.displayed = module.type;
  value.returned_module = cpp::without_statements(module.expr);
  return value;
}

}  // namespace torchbook::translate
