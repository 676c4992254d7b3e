// Translates calls: finds what is called.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

#include <algorithm>

namespace torchbook::translate {

Arguments Translator::arguments(const Node& node) {
  Arguments arguments;
  std::vector<Value*> acting;
  const auto lines = lines_->size();
  const int changes = changes_;
  for (const auto& argument : node.list("args")) {
    if (argument.is("Starred")) {
      auto value = expression(argument.child("value"));
      if (value.elements.empty()) throw NotPorted("a call has a starred argument");
      for (auto& element : value.elements) arguments.positional.push_back(std::move(element));
    } else {
      arguments.positional.push_back(expression(argument));
    }
  }
  for (const auto& keyword : node.list("keywords")) {
    if (!keyword.has("arg")) throw NotPorted("a call has keyword arguments in a dictionary");
    arguments.named.emplace_back(keyword.text("arg"), expression(keyword.child("value")));
  }
  const auto acts = [&](const Value& value) {
    return value.acts || (changes != changes_ && may_change(value));
  };
  for (auto& value : arguments.positional) {
    if (acts(value)) acting.push_back(&value);
  }
  for (auto& [name, value] : arguments.named) {
    if (acts(value)) acting.push_back(&value);
  }
  if (!acting.empty() && lines != lines_->size() &&
      arguments.positional.size() + arguments.named.size() > 1) {
    throw NotPorted("its order of evaluation would change");
  }
  if (acting.size() > 1) {  // C++ evaluates the arguments of a call in any order
    for (auto* value : acting) *value = hold(*value, "argument");
  }
  return arguments;
}

Value Translator::call(const Node& node) {
  const auto function = node.child("func");
  if (const auto path = path_of(function)) return call_path(*path, node);
  if (function.is("Name")) {
    const auto id = function.text("id");
    if (scope().find(id) == nullptr) return call_builtin(id, node);
    const auto called = name(function);
    if (called.is(Kind::function))
      return call_function(functions_.at(called.type.name), called.code, arguments(node));
    if (called.is(Kind::new_class)) return construct(classes_.at(called.type.name), arguments(node));
    return call_module(called, arguments(node));
  }
  if (function.is("Attribute")) {
    const auto of = function.child("value");
    const auto name = function.text("attr");
    const bool super = of.is("Call") && of.child("func").is("Name") && of.child("func").text("id") == "super";
    if (super) return call_super(node);
    if (of.is("Name") && of.text("id") == "self" && frame_->of_class != nullptr) {
      auto& made = *frame_->of_class;
      if (made.members.contains(name)) return call_module(attribute(function), arguments(node));
      if (const auto own = made.methods.find(name); own != made.methods.end()) {
        return call_function(own->second, std::string(name), arguments(node));
      }
      if (name.starts_with("register_") || name == "add_module")
        return register_member(name, arguments(node));
      return call_module_method(value_of({.kind = Kind::module, .items = {}, .name = made.code}, "this"),
                                name, arguments(node));
    }
    const auto receiver = expression(of);
    const bool member = receiver.is(Kind::module) && has_member(receiver, name);
    if (member) return call_module(module_attribute(receiver, name), arguments(node));
    const bool changes = name == "sort" || name == "reverse" || name == "extend";
    if (receiver.is(Kind::list) && changes) return change_list(receiver, name, node);
    return call_method(receiver, name, arguments(node));
  }
  return call_module(expression(function), arguments(node));
}

Value Translator::call_path(const std::string& path, const Node& node) {
  const auto within = [&](std::string_view module) { return path.starts_with(module); };
  if (within("torch.nn.functional.")) return call_functional(path.substr(20), arguments(node));
  if (within("torch.nn.init.")) return call_init(path.substr(14), arguments(node));
  if (path == "torch.nn.Sequential" && node.list("args").size() == 1 && node.list("args")[0].is("Starred")) {
    return call_nn("Sequential",
                   {.positional = {expression(node.list("args")[0].child("value"))}, .named = {}});
  }
  if (within("torch.nn.")) return call_nn(path.substr(9), arguments(node));
  if (within("torch.optim.")) return call_optimizer(path.substr(12), arguments(node));
  if (path == "torch.autograd.grad") return gradients_of(arguments(node));
  if (within("torch.linalg.")) return call_torch("linalg_" + path.substr(13), arguments(node), false);
  if (within("numpy.")) return call_numpy(path.substr(6), arguments(node));
  if (within("math.")) return call_math(path.substr(5), arguments(node));
  if (within("torch.")) return call_torch(path.substr(6), arguments(node), false);
  if (path == "importlib.metadata.version") {
    const auto given = arguments(node);
    if (given.positional.size() == 1 && given.positional[0].code == "\"torch\"")
      return path_value("torch.__version__");
  }
  throw NotPorted(fmt::format("{} is not translated", path));
}

Value Translator::call_method(const Value& receiver, std::string_view name, const Arguments& arguments) {
  switch (receiver.type.kind) {
    case Kind::tensor:
      return call_tensor_method(receiver, name, arguments);
    case Kind::list:
      return call_list_method(receiver, name, arguments);
    case Kind::module:
      return call_module_method(receiver, name, arguments);
    case Kind::optimizer:
      return call_optimizer_method(receiver, name, arguments);
    case Kind::string:
      return call_string_method(receiver, name, arguments);
    case Kind::random:
      return call_generator_method(receiver, name, arguments);
    case Kind::dict:
      return call_dict_method(receiver, name, arguments);
    case Kind::size:
      if (name == "numel" && arguments.positional.empty()) {
        return value_of(Kind::integer, fmt::format("c10::multiply_integers({})", receiver.sizes));
      }
      [[fallthrough]];
    default:
      throw NotPorted(fmt::format("the method {} of {} is not translated", name, in_words(receiver.type)));
  }
}

Value Translator::call_module_method(const Value& module, std::string_view name, const Arguments& arguments) {
  const auto code = [&](std::string_view call) { return fmt::format("{}->{}", module.code, call); };
  if (name == "forward") return call_module(module, arguments);
  for (auto& [key, made] : classes_) {
    if (made.code != module.type.name) continue;
    if (const auto method = made.methods.find(name); method != made.methods.end()) {
      return call_function(method->second, code(name), arguments);
    }
  }
  if (name == "parameters" && arguments.positional.empty()) {
    return value_of(list_of({.kind = Kind::tensor, .items = {}, .name = "parameter"}), code("parameters()"));
  }
  const bool moves = name == "to" && arguments.positional.size() == 1 && arguments.named.empty();
  if (moves && (arguments.positional[0].is(Kind::device) || arguments.positional[0].is(Kind::string))) {
    auto moved = module.temporary ? hold(module, "module") : module;
    line(fmt::format("{}->to({});", moved.code, device_code(arguments.positional[0])));
    return moved;
  }
  const bool changes = (name == "eval" || name == "train" || name == "zero_grad") && arguments.named.empty();
  if (changes && arguments.positional.size() <= (name == "train" ? 1u : 0u)) {
    const auto given = arguments.positional.empty() ? "" : arguments.positional[0].code;
    ++changes_;
    auto value = value_of(Kind::none, code(fmt::format("{}({})", name, given)));
    value.acts = true;
    if (name != "zero_grad") value.type.name = module.type.name;  // Python displays the module
    return value;
  }
  throw NotPorted(fmt::format("the method {} of a module is not translated", name));
}

/// `torch.Generator().manual_seed(42)` and `generator.manual_seed(42)`
Value Translator::call_generator_method(const Value& generator, std::string_view name,
                                        const Arguments& arguments) {
  const auto* seed = arguments.find("seed", 0);
  if (name != "manual_seed" || seed == nullptr || !seed->is(Kind::integer))
    throw NotPorted(fmt::format("the method {} of a generator is not translated", name));
  if (generator.temporary) {
    auto value = generator;
    value.code.insert(value.code.size() - 1, seed->code);
    return value;
  }
  ++changes_;
  auto value = value_of(Kind::generator, fmt::format("{}.set_current_seed({})", generator.code, seed->code));
  value.acts = true;
  return value;
}

Value Translator::call_optimizer_method(const Value& optimizer, std::string_view name,
                                        const Arguments& arguments) {
  const bool known = name == "step" || name == "zero_grad";
  if (!known || !arguments.positional.empty() || !arguments.named.empty()) {
    throw NotPorted(fmt::format("the method {} of an optimizer is not translated", name));
  }
  ++changes_;
  auto value = value_of(Kind::none, fmt::format("{}.{}()", optimizer.code, name));
  value.acts = true;
  return value;
}

}  // namespace torchbook::translate
