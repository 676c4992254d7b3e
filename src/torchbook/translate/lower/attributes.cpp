// Translates attributes of tensors and modules, and the names of PyTorch itself.
#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

#include <algorithm>
#include <array>

namespace torchbook::translate {
namespace {

const std::map<std::string_view, std::string_view> dtypes = {{"float", "torch::kFloat"},
                                                             {"float32", "torch::kFloat32"},
                                                             {"double", "torch::kDouble"},
                                                             {"float64", "torch::kFloat64"},
                                                             {"half", "torch::kHalf"},
                                                             {"float16", "torch::kFloat16"},
                                                             {"bfloat16", "torch::kBFloat16"},
                                                             {"int", "torch::kInt"},
                                                             {"int32", "torch::kInt32"},
                                                             {"long", "torch::kLong"},
                                                             {"int64", "torch::kInt64"},
                                                             {"short", "torch::kShort"},
                                                             {"int16", "torch::kInt16"},
                                                             {"int8", "torch::kInt8"},
                                                             {"uint8", "torch::kUInt8"},
                                                             {"bool", "torch::kBool"},
                                                             {"complex64", "torch::kComplexFloat"}};

/// Attributes of a tensor that are functions in C++, and what they give.
const std::map<std::string_view, std::pair<Kind, std::string_view>> tensor_attributes = {
    {"dtype", {Kind::dtype, "scalar_type"}},
    {"device", {Kind::device, "device"}},
    {"ndim", {Kind::integer, "dim"}},
    {"T", {Kind::tensor, "numpy_T"}},
    {"mT", {Kind::tensor, "mT"}},
    {"grad", {Kind::tensor, "grad"}},
    {"data", {Kind::tensor, "data"}},
    {"requires_grad", {Kind::boolean, "requires_grad"}},
    {"is_leaf", {Kind::boolean, "is_leaf"}},
    {"itemsize", {Kind::integer, "itemsize"}},
    {"nbytes", {Kind::integer, "nbytes"}},
    {"is_sparse", {Kind::boolean, "is_sparse"}},
    {"real", {Kind::tensor, "real"}},
    {"imag", {Kind::tensor, "imag"}}};

}  // namespace

std::optional<std::string> Writer::path_of(const Node& node) const {
  if (node.is("Name")) {
    const auto id = node.text("id");
    if (frame_->scope.find(id) != nullptr) return std::nullopt;
    return frame_->scope.imported(id);
  }
  if (!node.is("Attribute")) return std::nullopt;
  auto path = path_of(node.child("value"));
  if (path) *path += fmt::format(".{}", node.text("attr"));
  return path;
}

Value Translator::path_value(const std::string& path) {
  const auto name = path.substr(path.rfind('.') + 1);
  const bool of_torch = path == "torch." + name;
  if (of_torch && dtypes.contains(name))
    return value_of(Kind::dtype, cpp::name(std::string(dtypes.at(name))));
  const bool numpy =
      path == "numpy.float32" || path == "numpy.float64" || path == "numpy.int32" || path == "numpy.int64";
  if (numpy) return value_of(Kind::dtype, cpp::name(std::string(dtypes.at(name))));
  if (name == "inf" && (of_torch || path == "math.inf" || path == "numpy.inf" || path == "torch.math.inf")) {
    return infinity();
  }
  if ((name == "pi" || name == "e") && (of_torch || path == "math." + name || path == "numpy." + name)) {
    return value_of(Kind::floating, cpp::name("std::numbers::" + name));
  }
  if (path == "torch.__version__")
    return value_of(Kind::string, cpp::call("std::string", {cpp::name("TORCH_VERSION")}));
  const bool function = path.starts_with("torch.nn.functional.") || of_torch;
  if (function && !signatures_of(name).empty()) return function_of_torch(path);
  throw NotPorted(fmt::format("{} is not translated", path));
}

Value Translator::attribute(const Node& node) {
  if (const auto path = path_of(node)) return path_value(*path);
  if (auto named = class_name(node)) return *named;
  const auto of = node.child("value");
  const auto name = node.text("attr");
  if (of.is("Name") && of.text("id") == "self" && frame_->of_class != nullptr) {
    const auto method = frame_->of_class->methods.find(name);
    if (method != frame_->of_class->methods.end() && method->second.is_property)
      return call_own_method(method->second, std::string(name), {});
    const auto member = frame_->of_class->members.find(name);
    if (member == frame_->of_class->members.end()) throw NotPorted(fmt::format("self.{} is not known", name));
    auto value = value_of(member->second, member_of_self(name));
    value.temporary = false;
    return value;
  }
  const auto value = expression(of);
  if (value.is(Kind::tensor)) return tensor_attribute(value, name);
  if (value.is(Kind::module)) return module_attribute(value, name);
  if (value.is(Kind::object)) return object_attribute(value, name);
  if (value.is(Kind::new_class)) return class_attribute(node);
  if (value.is(Kind::optimizer) && name == "param_groups") {
    auto groups = value_of(list_of(object_type("torch::optim::OptimizerParamGroup")),
                           cpp::method(value.expr, "param_groups"));
    groups.temporary = false;
    return groups;
  }
  if (value.is(Kind::tuple) && value.type.is(types::Group::result)) {
    const auto names = result_names_of(value.type.function());
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw NotPorted(fmt::format("torch.return_types.{} has no {}", value.type.function(), name));
    const auto place = static_cast<std::size_t>(found - names.begin());
    return value_of(value.type.items[place], cpp::call(fmt::format("std::get<{}>", place), {value.expr}));
  }
  throw NotPorted(fmt::format("the attribute {} of {} is not translated", name, in_words(value.type)));
}

/// `Config.rate`: a constant that stands in the class, which nothing changes.
Value Translator::class_attribute(const Node& node) {
  const auto of = node.child("value");
  const auto& constants = classes_.at(expression(of).type.name()).constants;
  const auto found = constants.find(node.text("attr"));
  const bool changes = !of.is("Name") || notebook_.uses.changed.contains(of.text("id"));
  if (found == constants.end() || changes)
    throw NotPorted("it reads an attribute of a class that is no constant");
  return constant(found->second);
}

Value Translator::tensor_attribute(const Value& tensor, std::string_view name) {
  if (name == "grad") lost_gradients_.refuse();
  if (name == "shape") {
    auto value = value_of(Kind::size, cpp::call("torchbook::shape", {tensor.expr}));
    value.type.know_dimensions(tensor.type.dimensions());
    return value;
  }
  if (name == "grad_fn") {
    return value_of(object_type("torchbook::GradFn"),
                    cpp::braces({cpp::method(tensor.expr, "grad_fn")}, "torchbook::GradFn"));
  }
  const auto found = tensor_attributes.find(name);
  if (found == tensor_attributes.end()) {
    throw NotPorted(fmt::format("the attribute {} of a tensor is not translated", name));
  }
  auto value = value_of(found->second.first, cpp::method(tensor.expr, std::string(found->second.second)));
  if (value.is(Kind::tensor)) {
    value.type.know_numbers(tensor.type.numbers());
    value.type.know_detached(name == "data" || (tensor.type.detached() && name != "grad"));
    value.type.know_dimensions(tensor.type.dimensions());
  }
  return value;
}

Value Translator::module_attribute(const Value& module, std::string_view name) {
  if (name == "training") return value_of(Kind::boolean, method_of_module(module, "is_training"));
  auto base = module.expr;
  if (module.type.is(types::Held::element))
    base = cpp::arrow_method(base, fmt::format("as<{}>", module.type.name()));
  if (auto* made = class_of(module.type)) {
    const auto method = made->methods.find(name);
    if (method != made->methods.end() && method->second.is_property)
      return call_function(method->second,
                           [&](const auto& /*given*/) { return cpp::arrow_method(base, std::string(name)); },
                           {});
    const auto member = made->members.find(name);
    if (member == made->members.end())
      throw NotPorted(fmt::format("the module has no {} that is known", name));
    auto value =
        value_of(member->second, as_member(cpp::arrow_member(base, made->codes.at(std::string(name))),
                                           member->second, std::string(name)));
    value.temporary = false;
    return value;
  }
  if (auto member = layer_member(base, module.type, name)) return *member;
  const auto& parts = module.type.part_names();
  if (const auto part = std::find(parts.begin(), parts.end(), name); part != parts.end())
    return element_of(module, std::to_string(part - parts.begin()));
  throw NotPorted(fmt::format("the attribute {} of a module is not translated", name));
}

}  // namespace torchbook::translate
