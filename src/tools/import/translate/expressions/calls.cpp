#include <fmt/format.h>
#include <tools/import/translate/classes/classes.h>
#include <tools/import/translate/classes/members.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/core/seen_types.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/expressions/attributes.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/printing.h>
#include <tools/import/translate/kinds/array.h>
#include <tools/import/translate/kinds/counter.h>
#include <tools/import/translate/kinds/data.h>
#include <tools/import/translate/kinds/deque.h>
#include <tools/import/translate/kinds/dict.h>
#include <tools/import/translate/kinds/file.h>
#include <tools/import/translate/kinds/gradients.h>
#include <tools/import/translate/kinds/layer.h>
#include <tools/import/translate/kinds/list.h>
#include <tools/import/translate/kinds/module.h>
#include <tools/import/translate/kinds/object.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/optimizer.h>
#include <tools/import/translate/kinds/path.h>
#include <tools/import/translate/kinds/record.h>
#include <tools/import/translate/kinds/size.h>
#include <tools/import/translate/kinds/state_dict.h>
#include <tools/import/translate/rows/builtins.h>
#include <tools/import/translate/rows/calls_by_schema.h>
#include <tools/import/translate/rows/functional.h>
#include <tools/import/translate/rows/functions_by_hand.h>
#include <tools/import/translate/rows/layers.h>
#include <tools/import/translate/rows/random.h>
#include <tools/import/translate/statements/narrowing.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

bool has_starred(const Node& call) {
  const auto given = call.args();
  return std::any_of(given.begin(), given.end(), [](const Node& each) { return each.is(Ast::Starred); });
}

}  // namespace

/// `int` in `dtype=int`; nullopt if a node is no number of Python's.
static std::optional<Value> dtype_of_python(Builder& b, const Node& node) {
  static const std::map<std::string_view, std::string_view> dtypes = {
      {"bool", "torch::kBool"}, {"float", "torch::kFloat64"}, {"int", "torch::kInt64"}};
  const auto found = node.is(Ast::Name) ? dtypes.find(node.id()) : dtypes.end();
  if (found == dtypes.end() || b.scope().find(found->first) != nullptr) return std::nullopt;
  return value_of(Kind::dtype, cpp::name(found->second));
}

Arguments arguments(Builder& b, const Node& node) {
  Arguments arguments;
  for (const auto& argument : node.args()) {
    if (argument.is(Ast::Starred)) {
      auto value = expression(b, argument.value());
      if (value.is(Kind::tuple) && !value.temporary) value.elements = parts_of(value);
      if (value.elements.empty()) add_starred(value, arguments.positional);
      // Statements that make the elements belong to the first one, so they run before all elements.
      if (!value.elements.empty()) value.elements[0] = element_at(value, 0);
      for (auto& element : value.elements) arguments.positional.push_back(std::move(element));
    } else if (!arguments.positional.empty() &&
               arguments.positional.back().type.is(types::Sequence::starred)) {
      add_to_starred(expression(b, argument), arguments.positional.back());
    } else {
      arguments.positional.push_back(expression(b, argument));
    }
  }
  for (const auto& keyword : node.keywords()) {
    const auto dtype =
        keyword.has_arg() && keyword.arg() == "dtype" ? dtype_of_python(b, keyword.value()) : std::nullopt;
    auto value = dtype ? *dtype : expression(b, keyword.value());
    if (keyword.has_arg()) {
      arguments.named.emplace_back(keyword.arg(), std::move(value));
    } else if (value.is(Kind::record) && !value.temporary) {  // `Model(**config)`
      for (auto& field : fields_of(b, value)) arguments.named.push_back(std::move(field));
    } else {
      refuse("a call has keyword arguments in a dictionary");
    }
  }
  return arguments;
}

static Value call_path(Builder& b, const std::string& path, const Node& node) {
  const auto within = [&](std::string_view module) { return path.starts_with(module); };
  if (within("torch.nn.functional.")) return call_functional(b, path.substr(20), arguments(b, node));
  if (within("torch.utils.data.")) return call_data(b, path.substr(17), arguments(b, node));
  if (within("torch.nn.init.")) return call_init(b, path.substr(14), arguments(b, node));
  if (path == "torch.nn.Sequential" && has_starred(node)) return sequential_of_parts(b, node.args());
  if (path == "torch.nn.Sequential") {
    if (const auto pairs = named_parts(b, node)) return sequential_of_names(b, *pairs);
  }
  if (within("torch.nn.")) return call_nn(b, path.substr(9), arguments(b, node));
  if (path == "torch.optim.lr_scheduler.LambdaLR") return rate_by_function(b, node);
  if (within("torch.optim.")) return call_optimizer(b, path.substr(12), arguments(b, node));
  if (auto outside = call_outside(b, path, node)) return *outside;
  if (path == "copy.deepcopy") return copy_of_state(arguments(b, node));
  if (path == "torch.autograd.grad") return gradients_of(b, arguments(b, node));
  if (path == "collections.Counter") return counter_of(b, arguments(b, node));
  if (path == "collections.defaultdict") return default_dict(b, node);
  if (path == "collections.deque") return deque_of(b, arguments(b, node));
  if (path == "pprint.pprint") return pprint(b, arguments(b, node));
  if (path == "torch.set_default_dtype" || path == "torch.set_default_tensor_type")
    return set_default_dtype(b, node);
  if (path == "torch.save") return save(b, node);
  if (path == "torch.load") return load(b, arguments(b, node));
  if (path == "pathlib.Path") return path_of_file(arguments(b, node));
  if (path == "pathlib.Path.cwd" && arguments(b, node).count() == 0)
    return value_of(named_type(Kind::path, "torchbook::Path"),
                    cpp::call("torchbook::Path::working_folder", {}));
  if (within("torch.fft.")) return call_torch(b, "fft_" + path.substr(10), arguments(b, node), false);
  if (within("torch.special.")) return call_torch(b, "special_" + path.substr(14), arguments(b, node), false);
  if (within("torch.linalg.")) return call_torch(b, "linalg_" + path.substr(13), arguments(b, node), false);
  if (within("numpy.")) return call_numpy(b, path.substr(6), arguments(b, node));
  if (within("math.")) return call_math(b, path.substr(5), arguments(b, node));
  if (within("torch.")) return call_torch(b, path.substr(6), arguments(b, node), false);
  if (path == "importlib.metadata.version") {
    const auto given = arguments(b, node);
    if (given.positional.size() == 1 && given.positional[0].is_text("torch")) return shown_release(b, node);
  }
  refuse("{} is not translated", path);
}

/// Calls a method or a member of the class that is being translated.
static Value call_of_self(Builder& b, const Node& node) {
  const auto function = node.func();
  const auto name = function.attr();
  auto& made = *b.frame->of_class;
  if (made.members.contains(name)) return call_value(b, own_member(b, name), arguments(b, node));
  if (const auto own = made.methods.find(name); own != made.methods.end()) {
    return call_own_method(b, own->second, std::string(name), arguments(b, node));
  }
  if (name == "apply" && made.is_module && node.args().size() == 1) {
    return apply(b, value_of(module_type(made.code), cpp::name(cpp::form::self)), node.args()[0]);
  }
  if (name.starts_with("register_") || name == "add_module")
    return register_member(b, name, arguments(b, node));
  if (!made.is_module) refuse("self.{} is not known", name);
  return module_method(b, value_of(module_type(made.code), cpp::name(cpp::form::self)), name,
                       arguments(b, node));
}

/// Returns the common type of the results of a call in Python's run, if its function is an attribute; nullopt
/// if it is not known.
static std::optional<Type> result_seen(Builder& b, const Node& call) {
  const auto function = call.func();
  if (!function.is(Ast::Attribute)) return std::nullopt;
  std::optional<Type> common;
  for (const auto& each : seen_at(b, b.here.cell, function.last_line(), function.end_column()))
    common = common ? common_type(*common, each).value_or(Type{}) : each;
  return common;
}

/// Notes what the result of `x.item()` or `x.tolist()` shows of the tensor.
static void know_by_numbers(Builder& b, const Node& call, Type& tensor) {
  const auto seen = result_seen(b, call);
  if (!seen) return;
  int dimensions = 0;
  const auto* number = &*seen;
  for (; number->is(Kind::list) && !number->items.empty(); number = number->items.data()) ++dimensions;
  if (!number->is_number() || number->is(Kind::scalar)) return;
  tensor.know_numbers(numbers_of(*number));
  tensor.know_dimensions(dimensions);
}

/// Adds what Python's run shows of the result of a call: the kind of numbers, the dimensions and gradients of
/// tensors.
static Value with_seen_result(Builder& b, const Node& call, Value value) {
  const auto seen = result_seen(b, call);
  const bool known = seen && (value.type == *seen || (seen->is(Kind::tensor) && value.is(Kind::tensor)));
  if (known) value.type.know(seen->known());
  if (!seen || !value.is(Kind::tuple) || seen->items.size() != value.type.items.size()) return value;
  for (std::size_t i = 0; i < seen->items.size(); ++i) value.type.items[i].know(seen->items[i].known());
  return value;
}

static Value call_of(Builder& b, const Node& node) {
  const auto function = node.func();
  if (const auto path = b.path_of(function)) return call_path(b, *path, node);
  if (function.is(Ast::Name)) {
    const auto id = function.id();
    const bool itself = id == "self" && b.frame->of_class != nullptr && b.frame->of_class->is_module &&
                        b.frame->of_class->methods.contains("forward");
    if (itself)
      return call_own_method(b, b.frame->of_class->methods.at("forward"), "forward", arguments(b, node));
    if (b.scope().find(id) == nullptr) return call_builtin(b, id, node);
    const auto called = translate::name(b, function);
    if (called.is(Kind::new_class))
      return construct(b, b.defined.classes.at(called.type.name()), arguments(b, node));
    return call_value(b, called, arguments(b, node));
  }
  if (function.is(Ast::Attribute)) {
    const auto of = function.value();
    const auto name = function.attr();
    if (is_super(of)) return call_super(b, node);
    if (is_self(of) && b.frame->of_class != nullptr) return call_of_self(b, node);
    auto receiver = expression(b, of);
    if (receiver.is(Kind::tensor) && (name == "item" || name == "tolist"))
      know_by_numbers(b, node, receiver.type);
    if (receiver.is(Kind::module) && name == "apply" && node.args().size() == 1)
      return apply(b, receiver, node.args()[0]);
    if (receiver.is(Kind::new_class) && name == "apply")
      return call_value(b, class_attribute(b, function), arguments(b, node));
    const bool member = receiver.is(Kind::module) && has_member(b, receiver, name);
    if (member) return call_value(b, module_attribute(b, receiver, name), arguments(b, node));
    const bool changes = name == "sort" || name == "reverse" || name == "extend";
    if (receiver.is(Kind::list) && changes) return change_list(b, receiver, name, node);
    return call_method(b, receiver, name, arguments(b, node));
  }
  return call_value(b, expression(b, function), arguments(b, node));
}

Value call(Builder& b, const Node& node) { return with_seen_result(b, node, call_of(b, node)); }

}  // namespace torchbook::translate
