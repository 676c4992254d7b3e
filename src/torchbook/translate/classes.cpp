// Translates classes that derive from nn.Module: local structs with a holder.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torchbook/translate/numbers.h>
#include <torchbook/translate/translator.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Members of LibTorch's own class.
const std::set<std::string_view> own_members = {
    "apply",       "buffers",          "children", "clone", "eval",        "modules",
    "name",        "parameters",       "to",       "train", "zero_grad",   "forward",
    "is_training", "named_parameters", "save",     "load",  "pretty_print"};

bool is_constructor(const Node& node) { return node.is("FunctionDef") && node.text("name") == "__init__"; }

/// Adds a method behind the methods that it uses.
void add_method(const Node& method, const std::vector<Node>& statements, Names& added,
                std::vector<Node>& ordered) {
  if (!added.emplace(method.text("name")).second) return;
  method.walk([&](const Node& each) {
    if (is_constructor(method) || !each.is("Attribute")) return true;
    for (const auto& other : statements) {
      const bool used = other.is("FunctionDef") && other.text("name") == each.text("attr");
      if (used) add_method(other, statements, added, ordered);
    }
    return true;
  });
  ordered.push_back(method);
}

/// Returns the methods of a class: first the constructor, and each behind those that it uses.
std::vector<Node> in_order_of_calls(const std::vector<Node>& statements) {
  std::vector<Node> ordered;
  Names added;
  for (const bool constructors : {true, false}) {
    for (const auto& each : statements) {
      const bool wanted = each.is("FunctionDef") && is_constructor(each) == constructors;
      if (wanted) add_method(each, statements, added, ordered);
    }
  }
  return ordered;
}

}  // namespace

void Translator::define_class(const Node& node) {
  const auto bases = node.list("bases");
  const auto path = bases.size() == 1 ? path_of(bases[0]) : std::nullopt;
  if (path != "torch.nn.Module" || !node.list("decorator_list").empty() || !node.list("keywords").empty()) {
    throw NotPorted("a class does not derive from nn.Module alone");
  }
  if (!frame_->is_notebook) throw NotPorted("a class is defined inside of a function");
  const auto name = std::string(node.text("name"));
  const auto definition = key(node, name);
  auto& variable = scope().declare(name, {.kind = Kind::new_class, .items = {}, .name = definition});
  auto& made = classes_[definition] = {.key = definition, .code = variable.code};
  for (const auto& each : node.list("body")) {
    const bool docstring = each.is("Expr") && each.child("value").is("Constant");
    if (docstring || each.is("Pass")) continue;
    if (!each.is("FunctionDef") || !each.list("decorator_list").empty()) {
      throw NotPorted("a class has something else than methods");
    }
    const auto method = std::string(each.text("name"));
    made.methods[method] = function_of(each, fmt::format("{}:{}", definition, method), /*is_method=*/true);
  }
  if (!made.methods.contains("__init__")) made.methods["__init__"] = {.key = definition + ":__init__"};
  const auto& constructor = made.methods["__init__"];
  if (facts_->parameters(constructor.key) == nullptr && !constructor.parameters.empty() && !facts_->rest())
    return;
  const auto body = captured([&] {
    ++indent_;
    class_body(made, node);
    --indent_;
  });
  line(fmt::format("struct {}Impl : torch::nn::Module {{", made.code));
  lines_->insert(lines_->end(), body.begin(), body.end());
  line("};");
  line(fmt::format("TORCH_MODULE({});", made.code));
}

void Translator::class_body(NewClass& made, const Node& node) {
  const auto methods = in_order_of_calls(node.list("body"));
  made.renamed = made.code != node.text("name");
  bool first = true;
  for (const auto& each : methods) {
    if (!std::exchange(first, false)) lines_->emplace_back();
    method(made, each);
  }
  if (!made.order.empty()) lines_->emplace_back();
  for (const auto& name : made.order) {
    const auto& type = made.members.at(name);
    line(fmt::format("{} {}{};", cpp_type(type), made.codes.at(name), first_value(type)));
  }
}

void Translator::method(NewClass& made, const Node& node) {
  const auto name = std::string(node.text("name"));
  auto& function = made.methods[name];
  const auto types = parameter_types(function);
  Frame frame{.scope = Scope(&notebook_.scope), .changes_before = changes_};
  frame.of_class = &made;
  frame.is_constructor = name == "__init__";
  frame_ = &frame;
  const auto list = parameter_list(function, node, types);
  if (list.empty() && frame.is_constructor && node.list("body").size() == 1) {
    frame_ = &notebook_;
    return;  // it only calls that of nn.Module
  }
  ++indent_;
  const auto body = captured([&] {
    for (const auto& statement : node.list("body")) this->statement(statement);
  });
  --indent_;
  end_function(node, function);
  const auto result = function.result.is(Kind::none) ? "void" : cpp_type(function.result);
  const auto head =
      frame.is_constructor ? fmt::format("{}Impl", made.code) : fmt::format("{} {}", result, name);
  if (!is_plain_name(name) && !frame.is_constructor)
    throw NotPorted(fmt::format("the method {} is not translated", name));
  line(fmt::format("{}{}({}) {{", frame.is_constructor && list.size() == 1 ? "explicit " : "", head,
                   fmt::join(list, ", ")));
  lines_->insert(lines_->end(), body.begin(), body.end());
  line("}");
}

/// Returns a member in a method. A parameter or variable of the same name hides it.
std::string Translator::member_code(std::string_view name) const {
  const auto& code = frame_->of_class->codes.find(name)->second;
  const bool hidden = frame_->scope.uses_code(code) || frame_->uses.assignments.contains(code);
  return hidden ? "this->" + code : code;
}

void Translator::assign_tensor_attribute(const Value& tensor, const std::string& name, const Value& value) {
  const auto base = tensor.in(Binding::postfix);
  if (tensor.is(Kind::tensor) && name == "requires_grad" && value.is(Kind::boolean)) {
    return line(fmt::format("{}.set_requires_grad({});", base, value.code));
  }
  if (tensor.is(Kind::tensor) && name == "grad" && value.is(Kind::none)) {
    return line(fmt::format("{}.mutable_grad() = Tensor();", base));
  }
  throw NotPorted(fmt::format("it assigns to the attribute {}", name));
}

void Translator::add_member(const std::string& name, const Type& type) {
  auto& made = *frame_->of_class;
  if (!made.members.contains(name)) {
    if (!frame_->is_constructor) throw NotPorted("a method other than __init__ makes an attribute");
    made.members[name] = without_numbers(type);
    made.codes[name] = own_members.contains(name) || !is_plain_name(name) ? name + "_" : name;
    made.order.push_back(name);
  } else if (!(made.members[name] == type)) {
    throw NotPorted(fmt::format("self.{} holds values of different types", name));
  }
}

/// `self.register_buffer("mask", mask)`
Value Translator::register_member(std::string_view function, const Arguments& arguments) {
  const auto* name = arguments.find("name", 0);
  const auto* what = arguments.find("tensor", 1);
  const bool known = function == "register_buffer";
  if (!known || name == nullptr || !name->literal || what == nullptr || !what->is(Kind::tensor) ||
      arguments.positional.size() + arguments.named.size() != 2) {
    throw NotPorted(fmt::format("{} is called in a form that is not translated", function));
  }
  const auto member = name->code.substr(1, name->code.size() - 2);
  add_member(member, {.kind = Kind::tensor});
  auto value = value_of(
      Kind::none, fmt::format("{} = {}({}, {})", member_code(member), function, name->code, what->code));
  value.acts = true;
  return value;
}

void Translator::assign_attribute(const Node& target, const Value& value) {
  const auto of = target.child("value");
  const auto name = std::string(target.text("attr"));
  const bool own = of.is("Name") && of.text("id") == "self" && frame_->of_class != nullptr;
  changes_ += frame_->is_constructor ? 0 : 1;
  if (!own) return assign_tensor_attribute(expression(of), name, value);
  auto type = value.type;
  const bool is_parameter = value.is(Kind::tensor) && type.name.ends_with("parameter") && value.temporary;
  if (type.is(Kind::tensor)) type.name.clear();
  add_member(name, type);
  const auto code = member_code(name);
  if (value.is(Kind::module)) {
    const bool several = !frame_->is_constructor;
    if (several || type.name.starts_with('&') || type.name.starts_with('*'))
      throw NotPorted("a module is replaced");
    return line(fmt::format("{} = register_module(\"{}\", {});", code, name, value.code));
  }
  if (is_parameter) {
    const auto untrained = value.type.name == "fixed parameter" ? ", /*requires_grad=*/false" : "";
    return line(fmt::format("{} = register_parameter(\"{}\", {}{});", code, name, value.code, untrained));
  }
  if (value.is(Kind::list) && !value.type.items.empty() && value.type.items[0].is(Kind::module)) {
    throw NotPorted("a list of modules is no nn.ModuleList");
  }
  line(fmt::format("{} = {};", code,
                   value.literal && !value.elements.empty() ? printable(value) : value.code));
}

Value Translator::call_super(const Node& node) {
  const auto name = node.child("func").text("attr");
  if (name != "__init__" || !frame_->is_constructor || !node.list("args").empty()) {
    throw NotPorted("it calls a method of a base class");
  }
  return {.type = {.kind = Kind::none}, .code = ""};
}

Value Translator::construct(NewClass& made, const Arguments& arguments) {
  auto& constructor = made.methods.at("__init__");
  std::vector<Type> types;
  const auto ordered = in_order(constructor, arguments, types);
  facts_->call(constructor.key, types);
  const auto codes = argument_codes(ordered);
  auto value = value_of({.kind = Kind::module, .items = {}, .name = made.code},
                        fmt::format("{}({})", made.code, fmt::join(codes, ", ")));
  value.acts = true;
  return value;
}

/// Lets modules be printed. C++ prints the name that its class has there.
void Translator::need_to_print_modules() {
  const bool renamed =
      std::any_of(classes_.begin(), classes_.end(), [](const auto& entry) { return entry.second.renamed; });
  if (renamed) throw NotPorted("it prints a module, and a class is defined twice");
  need("#include <torchbook/pyrepr/module.h>");
}

bool Translator::has_member(const Value& module, std::string_view name) const {
  return std::any_of(classes_.begin(), classes_.end(), [&](const auto& entry) {
    return entry.second.code == module.type.name && entry.second.members.contains(name);
  });
}

Value Translator::call_module(const Value& module, const Arguments& arguments) {
  if (!module.is(Kind::module)) throw NotPorted(fmt::format("it calls {}", in_words(module.type)));
  auto type = module.type.name;
  std::string callee = module.code;
  const auto name = type.starts_with('&') || type.starts_with('*') ? type.substr(1) : type;
  const bool direct = type.starts_with('*') || type == "torch::nn::Sequential";
  if (type.starts_with('&')) callee += fmt::format("->as<{}>()->forward", name);
  if (direct) callee += "->forward";
  for (auto& [key, made] : classes_) {
    if (made.code != name) continue;
    const auto forward = made.methods.find("forward");
    if (forward == made.methods.end()) throw NotPorted("it calls a module without forward");
    return call_function(forward->second, callee, arguments);
  }
  std::vector<std::string> codes;
  for (const auto& value : arguments.positional) {
    if (!value.is(Kind::tensor)) throw NotPorted("a layer is called with something else than tensors");
    codes.push_back(value.code);
  }
  if (!arguments.named.empty() || codes.empty()) throw NotPorted("a layer is called with names");
  auto value = tensor_of(fmt::format("{}({})", callee, fmt::join(codes, ", ")));
  value.acts = true;  // it may draw, as Dropout does
  return value;
}

}  // namespace torchbook::translate
