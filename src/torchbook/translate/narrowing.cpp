// Translates what is asked of a module's class: isinstance, type, and what is done with each module of a
// tree.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

#include <algorithm>
#include <cctype>

namespace torchbook::translate {
namespace {

/// Returns the node of `x` in `type(x)` or `x.__class__`; nullopt for anything else.
std::optional<Node> asked_of(const Node& node) {
  if (node.is("Attribute") && node.text("attr") == "__class__") return node.child("value");
  const bool type = node.is("Call") && node.child("func").is("Name") &&
                    node.child("func").text("id") == "type" && node.list("args").size() == 1;
  return type ? std::optional(node.list("args")[0]) : std::nullopt;
}

/// Returns the node of the module and that of the class in `isinstance(m, C)` or `type(m) == C`.
std::optional<std::pair<Node, Node>> class_test(const Node& node) {
  if (node.is("Call") && node.child("func").is("Name") && node.child("func").text("id") == "isinstance" &&
      node.list("args").size() == 2) {
    return std::pair(node.list("args")[0], node.list("args")[1]);
  }
  if (!node.is("Compare") || node.list("ops").size() != 1) return std::nullopt;
  const auto operation = node.list("ops")[0].kind();
  const auto of = asked_of(node.child("left"));
  if (!of || (operation != "Eq" && operation != "Is")) return std::nullopt;
  return std::pair(*of, node.list("comparators")[0]);
}

}  // namespace

std::string module_itself(const Value& module) {
  if (module.type.name == some_module) return module.code;
  if (module.code == "this") return "*this";
  const auto base = module.in(Binding::postfix);
  return fmt::format("*{}{}", base, module.type.name == any_module ? ".ptr()" : "");
}

std::string through(const Value& module) {
  const auto base = module.in(Binding::postfix);
  if (module.type.name == any_module) return base + ".ptr()->";
  return base + (module.type.name == some_module ? "." : "->");
}

/// `type(layer).__name__`
std::optional<Value> Translator::class_name(const Node& node) {
  if (node.text("attr") != "__name__") return std::nullopt;
  const auto of = asked_of(node.child("value"));
  if (!of) return std::nullopt;
  const auto module = expression(*of);
  if (!module.is(Kind::module))
    throw NotPorted(fmt::format("it asks for the class of {}", in_words(module.type)));
  need_to_print_modules();
  need("#include <torchbook/notebook/nn.h>");
  return value_of(Kind::string, fmt::format("torchbook::nn::class_name({})", module_itself(module)));
}

/// Returns the class in C++ that a node names: `torchbook::nn::Linear`.
std::string Translator::module_class(const Node& node) {
  if (const auto path = path_of(node); path && path->starts_with("torch.nn."))
    return layer_class(path->substr(9));
  const auto named = expression(node);
  if (!named.is(Kind::new_class)) throw NotPorted("a module's class is compared with something else");
  return classes_.at(named.type.name).code;
}

/// If a test asks for the class of a module, writes the head of its block and returns what the module is
/// inside.
std::optional<Narrowed> Translator::narrowed(const Node& test, std::string_view opening) {
  const bool more = test.is("BoolOp") && test.child("op").is("And");
  const auto first = more ? test.list("values")[0] : test;
  const auto asked = class_test(first);
  if (!asked || !asked->first.is("Name")) return std::nullopt;
  const auto name = std::string(asked->first.text("id"));
  const auto module = expression(asked->first);
  const bool unknown =
      module.is(Kind::module) && (module.type.name == some_module || module.type.name == "?");
  if (!unknown) throw NotPorted("it asks for a class that is known");
  const auto type = module_class(asked->second);
  auto wish = type.substr(type.rfind(':') + 1);
  std::transform(wish.begin(), wish.end(), wish.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto code = scope().fresh(wish);
  Narrowed result{.name = name, .before = *scope().find(name)};
  auto inside = result.before;
  inside.type.name = "*" + type;
  inside.code = code;
  scope().show(name, inside);
  std::string rest;
  if (more) {
    const bool could = std::exchange(may_emit_, false);
    const auto values = test.list("values");
    for (std::size_t i = 1; i < values.size(); ++i) rest += fmt::format(" && ({})", condition(values[i]));
    may_emit_ = could;
    rest = fmt::format("; {} != nullptr{}", code, rest);
  }
  line(fmt::format("{} (auto* {} = {}as<{}>(){}) {{", opening, code, through(module), type, rest));
  return result;
}

/// `model.apply(init_weights)`
Value Translator::apply(const Value& module, const Node& function) {
  const Type each{.kind = Kind::module, .items = {}, .name = some_module};
  std::string code;
  Function* called = nullptr;
  const bool own = function.is("Attribute") && function.child("value").is("Name") &&
                   function.child("value").text("id") == "self" && frame_->of_class != nullptr;
  if (own) {
    const auto method = frame_->of_class->methods.find(function.text("attr"));
    if (method == frame_->of_class->methods.end())
      throw NotPorted("apply takes something else than a function");
    called = &method->second;
    code = fmt::format("[this](torch::nn::Module& each) {{ {}(each); }}", function.text("attr"));
  } else {
    const auto named = expression(function);
    if (!named.is(Kind::function)) throw NotPorted("apply takes something else than a function");
    called = &function_named(named.type.name);
    code = named.code;
  }
  if (called->parameters.size() != 1) throw NotPorted("apply takes a function of several arguments");
  facts_->call(called->key, {each});
  if (!called->translated && !own) throw NotPorted("it calls a function that is not ported");
  ++changes_;
  need("#include <torchbook/notebook/nn.h>");
  auto value = value_of(Kind::none, fmt::format("torchbook::nn::apply({}, {})", module_itself(module), code));
  value.acts = true;
  value.type.name = module.type.name;
  value.sizes = module.code;
  return value;
}

}  // namespace torchbook::translate
