// Translates tests of a module's class (isinstance, type) and `apply`, which visits each module of
// a tree.
#include <fmt/format.h>
#include <tools/import/translate/lower/translator.h>
#include <tools/import/translate/tables/layers.h>

#include <algorithm>
#include <cctype>

namespace torchbook::translate {
namespace {

/// Returns the node of `x` in `type(x)` or `x.__class__`; nullopt for anything else.
std::optional<Node> asked_of(const Node& node) {
  if (node.is("Attribute") && node.text("attr") == "__class__") return node.child("value");
  const bool type = called_name(node) == "type" && node.list("args").size() == 1;
  return type ? std::optional(node.list("args")[0]) : std::nullopt;
}

/// Returns the node of the module and that of the class in `isinstance(m, C)` or `type(m) == C`.
std::optional<std::pair<Node, Node>> class_test(const Node& node) {
  if (called_name(node) == "isinstance" && node.list("args").size() == 2)
    return std::pair(node.list("args")[0], node.list("args")[1]);
  if (!node.is("Compare") || node.list("ops").size() != 1) return std::nullopt;
  const auto operation = node.list("ops")[0].kind();
  const auto of = asked_of(node.child("left"));
  if (!of || (operation != "Eq" && operation != "Is")) return std::nullopt;
  return std::pair(*of, node.list("comparators")[0]);
}

}  // namespace

/// `type(layer).__name__`
std::optional<Value> Translator::class_name(const Node& node) {
  if (node.text("attr") != "__name__") return std::nullopt;
  const auto of = asked_of(node.child("value"));
  if (!of) return std::nullopt;
  const auto module = expression(*of);
  if (const auto* made = module.is(Kind::object) ? class_of(module.type) : nullptr) {
    if (!made->is_common_base) return value_of(Kind::string, cpp::string(made->nodes.back().text("name")));
    facts_->ask_for_name(made->code);
    return value_of(Kind::string, method_of(module, "class_name").with_only({}));
  }
  if (!module.is(Kind::module)) throw NotPorted("it asks for the class of {}", in_words(module.type));
  need_to_print_modules();
  return value_of(Kind::string, cpp::call("torchbook::nn::class_name", {module_itself(module)}));
}

/// Returns the class in C++ that a node names: `torchbook::nn::Linear`.
std::string Translator::module_class(const Node& node) {
  if (const auto path = path_of(node); path && path->starts_with("torch.nn.")) {
    const auto* layer = layer_named(path->substr(9));
    if (layer == nullptr) throw NotPorted("nn.{} is not translated", path->substr(9));
    if (layer->is_lazy()) throw NotPorted("it asks whether a layer is lazy");
    return layer->type();
  }
  const auto named = expression(node);
  if (!named.is(Kind::new_class)) throw NotPorted("a module's class is compared with something else");
  return classes_.at(named.type.name()).code;
}

/// Returns a name for a variable of the class: `linear`.
static std::string wish_of_class(std::string_view type) {
  auto wish = std::string(type.substr(type.rfind(':') + 1));
  std::transform(wish.begin(), wish.end(), wish.begin(), [](unsigned char c) { return std::tolower(c); });
  return wish;
}

/// If a test asks for the class of a module, or of an object with a common base, fills the head of the if and
/// gives the module that class inside the block. Returns what to restore after the block.
std::optional<Narrowed> Translator::narrowed(const Node& test, cpp::If& head) {
  const bool more = test.is("BoolOp") && test.child("op").is("And");
  const auto first = more ? test.list("values")[0] : test;
  const auto asked = class_test(first);
  if (!asked || !asked->first.is("Name")) return std::nullopt;
  const auto name = std::string(asked->first.text("id"));
  const auto module = expression(asked->first);
  if (!module.is(Kind::module) && !module.is(Kind::object)) return std::nullopt;
  const auto* base = class_of(module.type);
  const bool of_base = base != nullptr && base->is_common_base;
  const bool unknown =
      module.is(Kind::module) && (module.type.name() == some_module || module.type.is(types::Held::unknown));
  if (module.is(Kind::object) ? !of_base : !unknown) throw NotPorted("it asks for a class that is known");
  const auto object = of_base ? class_in_base(*base, asked->second) : Type{};
  const auto type = of_base ? class_of(object)->code : module_class(asked->second);
  const auto code = scope().fresh(wish_of_class(type));
  Narrowed result{.name = name, .before = *scope().find(name)};
  auto inside = result.before;
  inside.type = of_base ? object : module_type(type, {}, types::Held::pointer);
  inside.code = code;
  scope().show(name, inside);
  head.declared = (of_base ? "const auto " : "auto* ") + code;
  const bool exact = called_name(first) != "isinstance" && notebook_.uses.has_lazy_layers;
  head.initial = of_base ? cpp::call(fmt::format("std::dynamic_pointer_cast<{}>", type), {module.expr})
                 : exact ? cpp::call(fmt::format("torchbook::nn::as_made<{}>", type), {module_itself(module)})
                         : method_of_module(module, fmt::format("as<{}>", type));
  if (!more) return result;
  head.test = cpp::binary(cpp::name(code), "!=", cpp::name("nullptr"));
  const auto values = test.list("values");
  for (std::size_t i = 1; i < values.size(); ++i)
    head.test = cpp::binary(head.test, "&&", true_or_false(values[i]).expr);
  return result;
}

/// `model.apply(init_weights)`
Value Translator::apply(const Value& module, const Node& function) {
  const auto each = module_type(some_module);
  cpp::Expr code;
  Function* called = nullptr;
  const bool own = is_of_self(function) && frame_->of_class != nullptr;
  if (own) {
    const auto method = frame_->of_class->methods.find(function.text("attr"));
    if (method == frame_->of_class->methods.end())
      throw NotPorted("apply takes something else than a function");
    called = &method->second;
    const auto call = cpp::call(function.text("attr"), {cpp::name("each")});
    code = cpp::lambda("this", {{.type = "torch::nn::Module&", .name = "each"}},
                       {{.kind = cpp::Evaluate{call}}});
  } else {
    const auto named = expression(function);
    if (!named.is(Kind::function)) throw NotPorted("apply takes something else than a function");
    called = &function_named(named.type.name());
    code = named.expr;
  }
  if (called->parameters.size() != 1) throw NotPorted("apply takes a function of several arguments");
  learn_call(*called, {each});
  if (!called->translated && !own) throw NotPorted("it calls a function that is not ported");
  auto effects = called->translated ? called->effects : cpp::everything();
  effects.add(cpp::writes(cpp::Place::memory));
  auto value =
      value_of(Kind::none, cpp::call("torchbook::nn::apply", {module_itself(module), code}).with(effects));
  value.displayed = module.type;
  value.gives = cpp::without_statements(module.expr);
  return value;
}

}  // namespace torchbook::translate
