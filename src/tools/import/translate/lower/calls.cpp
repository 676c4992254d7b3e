// Translates calls: finds what is called.
#include <fmt/format.h>
#include <tools/import/translate/lower/translator.h>
#include <tools/import/translate/tables/layers.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

bool has_starred(const Node& call) {
  const auto given = call.list("args");
  return std::any_of(given.begin(), given.end(), [](const Node& each) { return each.is("Starred"); });
}

}  // namespace

/// `int` in `dtype=int`; nullopt if a node is no number of Python's.
std::optional<Value> Translator::dtype_of_python(const Node& node) {
  static const std::map<std::string_view, std::string_view> dtypes = {
      {"bool", "torch::kBool"}, {"float", "torch::kFloat64"}, {"int", "torch::kInt64"}};
  const auto found = node.is("Name") ? dtypes.find(node.text("id")) : dtypes.end();
  if (found == dtypes.end() || scope().find(found->first) != nullptr) return std::nullopt;
  return value_of(Kind::dtype, cpp::name(found->second));
}

Arguments Translator::arguments(const Node& node) {
  Arguments arguments;
  for (const auto& argument : node.list("args")) {
    if (argument.is("Starred")) {
      auto value = expression(argument.child("value"));
      if (value.is(Kind::tuple) && !value.temporary) value.elements = parts_of(value);
      if (value.elements.empty()) add_starred(value, arguments.positional);
      // Statements that make the elements belong to the first one, so they run before all elements.
      if (!value.elements.empty()) value.elements[0] = element_at(value, 0);
      for (auto& element : value.elements) arguments.positional.push_back(std::move(element));
    } else if (!arguments.positional.empty() &&
               arguments.positional.back().type.is(types::Sequence::starred)) {
      add_to_starred(expression(argument), arguments.positional.back());
    } else {
      arguments.positional.push_back(expression(argument));
    }
  }
  for (const auto& keyword : node.list("keywords")) {
    const auto dtype = keyword.has("arg") && keyword.text("arg") == "dtype"
                           ? dtype_of_python(keyword.child("value"))
                           : std::nullopt;
    auto value = dtype ? *dtype : expression(keyword.child("value"));
    if (keyword.has("arg")) {
      arguments.named.emplace_back(keyword.text("arg"), std::move(value));
    } else if (value.is(Kind::record) && !value.temporary) {  // `Model(**config)`
      for (auto& field : fields_of(value)) arguments.named.push_back(std::move(field));
    } else {
      throw NotPorted("a call has keyword arguments in a dictionary");
    }
  }
  return arguments;
}

Value Translator::call(const Node& node) {
  const auto function = node.child("func");
  if (const auto path = path_of(function)) return call_path(*path, node);
  if (function.is("Name")) {
    const auto id = function.text("id");
    const bool itself = id == "self" && frame_->of_class != nullptr && frame_->of_class->is_module &&
                        frame_->of_class->methods.contains("forward");
    if (itself) return call_own_method(frame_->of_class->methods.at("forward"), "forward", arguments(node));
    if (scope().find(id) == nullptr) return call_builtin(id, node);
    const auto called = this->name(function);
    if (called.is(Kind::new_class)) return construct(classes_.at(called.type.name()), arguments(node));
    return call_module(called, arguments(node));
  }
  if (function.is("Attribute")) {
    const auto of = function.child("value");
    const auto name = function.text("attr");
    if (is_super(of)) return call_super(node);
    if (is_self(of) && frame_->of_class != nullptr) return call_of_self(node);
    const auto receiver = expression(of);
    if (receiver.is(Kind::module) && name == "apply" && node.list("args").size() == 1)
      return apply(receiver, node.list("args")[0]);
    if (receiver.is(Kind::new_class) && name == "apply")
      return call_module(class_attribute(function), arguments(node));
    const bool member = receiver.is(Kind::module) && has_member(receiver, name);
    if (member) return call_module(module_attribute(receiver, name), arguments(node));
    const bool changes = name == "sort" || name == "reverse" || name == "extend";
    if (receiver.is(Kind::list) && changes) return change_list(receiver, name, node);
    return call_method(receiver, name, arguments(node));
  }
  return call_module(expression(function), arguments(node));
}

/// Calls a method or a member of the class that is being translated.
Value Translator::call_of_self(const Node& node) {
  const auto function = node.child("func");
  const auto name = function.text("attr");
  auto& made = *frame_->of_class;
  if (made.members.contains(name)) return call_module(own_member(name), arguments(node));
  if (const auto own = made.methods.find(name); own != made.methods.end()) {
    return call_own_method(own->second, std::string(name), arguments(node));
  }
  if (name == "apply" && made.is_module && node.list("args").size() == 1) {
    return apply(value_of(module_type(made.code), cpp::name("this")), node.list("args")[0]);
  }
  if (name.starts_with("register_") || name == "add_module") return register_member(name, arguments(node));
  if (!made.is_module) throw NotPorted("self.{} is not known", name);
  return module_method(value_of(module_type(made.code), cpp::name("this")), name, arguments(node));
}

Value Translator::call_path(const std::string& path, const Node& node) {
  const auto within = [&](std::string_view module) { return path.starts_with(module); };
  if (within("torch.nn.functional.")) return call_functional(path.substr(20), arguments(node));
  if (within("torch.utils.data.")) return call_data(path.substr(17), arguments(node));
  if (within("torch.nn.init.")) return call_init(path.substr(14), arguments(node));
  if (path == "torch.nn.Sequential" && has_starred(node)) return row_of_parts(node.list("args"));
  if (path == "torch.nn.Sequential") {
    if (const auto pairs = named_parts(node)) return row_of_names(*pairs);
  }
  if (within("torch.nn.")) return call_nn(path.substr(9), arguments(node));
  if (path == "torch.optim.lr_scheduler.LambdaLR") return rate_by_function(node);
  if (within("torch.optim.")) return call_optimizer(path.substr(12), arguments(node));
  if (auto outside = call_outside(path, node)) return *outside;
  if (path == "copy.deepcopy") return copy_of_state(arguments(node));
  if (path == "torch.autograd.grad") return gradients_of(arguments(node));
  if (path == "collections.Counter") return counter_of(arguments(node));
  if (path == "pprint.pprint") return pprint(arguments(node));
  if (path == "torch.save") return save(arguments(node));
  if (path == "torch.load") return load(arguments(node));
  if (path == "pathlib.Path") return path_of_file(arguments(node));
  if (path == "pathlib.Path.cwd" && arguments(node).count() == 0)
    return value_of(object_type("torchbook::Path"), cpp::call("torchbook::Path::working_folder", {}));
  if (within("torch.fft.")) return call_torch("fft_" + path.substr(10), arguments(node), false);
  if (within("torch.special.")) return call_torch("special_" + path.substr(14), arguments(node), false);
  if (within("torch.linalg.")) return call_torch("linalg_" + path.substr(13), arguments(node), false);
  if (within("numpy.")) return call_numpy(path.substr(6), arguments(node));
  if (within("math.")) return call_math(path.substr(5), arguments(node));
  if (within("torch.")) return call_torch(path.substr(6), arguments(node), false);
  if (path == "importlib.metadata.version") {
    const auto given = arguments(node);
    if (given.positional.size() == 1 && given.positional[0].is_text("torch")) return shown_release(node);
  }
  throw NotPorted("{} is not translated", path);
}

}  // namespace torchbook::translate
