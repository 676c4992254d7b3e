// Translates conversions between tensors, Python lists and NumPy arrays.
#include <fmt/format.h>
#include <torchbook/translate/dtypes.h>
#include <torchbook/translate/lower/translator.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Returns `np.float32`, which is a dtype already, or "float32" as a dtype.
Value as_dtype(const Value& given) {
  if (given.is(Kind::dtype)) return given;
  const auto dtype = dtype_of_numpy(given.is_text(given.expr.text()) ? given.expr.text() : "");
  if (!dtype) throw NotPorted("an array of NumPy has a dtype that is not translated");
  return value_of(Kind::dtype, dtype);
}

}  // namespace

/// `x.tolist()`. The depth of the list is known only at run time, so it can only be printed, unless
/// x is known to be a vector or a matrix.
Value Translator::list_of_tensor(const Value& tensor) {
  const Type item = kind_of_numbers(tensor);
  const auto dimensions = tensor.type.dimensions();
  if (item.is(Kind::scalar) || (dimensions != 1 && dimensions != 2))
    return value_of(Type(types::List{types::Sequence::nested}),
                    cpp::braces({tensor.expr}, "torchbook::NestedList"));
  const bool vector = dimensions == 1;
  return value_of(
      vector ? list_of(item) : list_of(list_of(item)),
      cpp::call(fmt::format("torchbook::{}<{}>", vector ? "list" : "rows", cpp_type(item)), {tensor.expr}));
}

/// Calls a function of torch that converts lists or arrays, or for which LibTorch has no single
/// counterpart; nullopt if it is another function.
std::optional<Value> Translator::call_carrier(std::string_view name, const Arguments& arguments) {
  const auto& positional = arguments.positional;
  if (name == "autograd.Variable") return variable_of(arguments);
  if (auto value = call_typed_tensor(name, arguments)) return value;
  if ((name == "from_numpy" || name == "as_tensor" || name == "tensor") && positional.size() == 1 &&
      positional[0].is(Kind::array)) {
    return tensor_of_array(name, arguments);
  }
  const bool of_list = name == "as_tensor" && !positional.empty() && positional[0].is(Kind::list);
  if (name == "tensor" || of_list) return tensor_literal(arguments);
  if (name == "unique" && !positional.empty() && positional[0].is(Kind::tensor)) return unique_of(arguments);
  if (name == "meshgrid" && !positional.empty()) return meshgrid_of(arguments);
  if (name == "norm" && !positional.empty() && positional[0].is(Kind::tensor)) return norm_of(arguments);
  return std::nullopt;
}

/// Does the same for a method of a tensor, which is the first argument.
std::optional<Value> Translator::call_carrying_method(std::string_view name, const Arguments& arguments) {
  const auto& tensor = arguments.positional[0];
  const bool bare = arguments.positional.size() == 1 && arguments.named.empty();
  if (name == "numpy" && bare) {
    auto array = tensor;
    array.type = array_type(tensor.type);
    return array;
  }
  if (name == "tolist" && bare) return list_of_tensor(tensor);
  if (name == "norm") return norm_of(arguments);
  if (name == "unique") return unique_of(arguments);
  if (name == "numpy" || name == "tolist")
    throw NotPorted("the method {} of a tensor is not translated", name);
  return std::nullopt;
}

/// `torch.from_numpy(array)`, `torch.as_tensor(array)` and `torch.tensor(array)`
Value Translator::tensor_of_array(std::string_view function, const Arguments& arguments) {
  auto value = arguments.positional[0];
  const bool copies = function == "tensor";
  value.type =
      Type(types::Tensor{.known = {.numbers = value.type.numbers(), .dimensions = value.type.dimensions()}});
  if (copies) value.expr = cpp::method(value.expr, "clone");
  value.temporary = value.temporary || copies;
  if (arguments.named.empty()) return value;
  const auto& [name, dtype] = arguments.named[0];
  if (arguments.named.size() != 1 || name != "dtype" || !dtype.is(Kind::dtype))
    throw NotPorted("torch.{} has an argument that is not translated", function);
  return tensor_method(value, "to", {.positional = {dtype}});
}

/// `array.shape`, which is a tuple
Value Translator::array_attribute(const Value& array, std::string_view name) {
  if (name != "shape" || array.type.dimensions() < 1)
    throw NotPorted("the attribute {} of an array of NumPy is not translated", name);
  return tuple_of(tensor_attribute(tensor_of_array("from_numpy", {.positional = {array}}), name));
}

/// `array.astype(np.float32)`
Value Translator::array_method(const Value& array, std::string_view name, const Arguments& arguments) {
  const auto& given = arguments.positional;
  if (name != "astype" || given.size() != 1 || !arguments.named.empty())
    throw NotPorted("the method {} of an array of NumPy is not translated", name);
  auto changed = tensor_of_array("tensor", {.positional = {array}, .named = {{"dtype", as_dtype(given[0])}}});
  changed.type = array_type(changed.type);
  return changed;
}

/// `np.array([1.0, 2.0])`. Operations on arrays are NumPy's own and not translated, so an array can
/// only become a tensor.
Value Translator::call_numpy(std::string_view name, const Arguments& arguments) {
  const auto& values = arguments.positional;
  const bool chosen = name == "array" && arguments.named.size() == 1 && arguments.named[0].first == "dtype";
  if (values.size() != 1 || (!arguments.named.empty() && !chosen))
    throw NotPorted("numpy.{} is not translated", name);
  if (name == "sqrt" && (values[0].is(Kind::integer) || values[0].is(Kind::floating)))
    return call_math("sqrt", arguments);
  Value tensor;
  if (name == "array") {
    auto given = arguments;
    if (chosen) given.named[0].second = as_dtype(given.named[0].second);
    tensor = tensor_literal(given);
    if (!chosen && tensor.type.numbers() == Numbers::floating) {
      auto parts = tensor.expr.parts();
      parts.push_back(cpp::name("torch::kFloat64"));
      tensor.expr = tensor.expr.with_parts(std::move(parts));
    }
  } else if (name == "ones" || name == "zeros") {
    Arguments with_dtype = arguments;
    with_dtype.named.emplace_back("dtype", value_of(Kind::dtype, cpp::name("torch::kFloat64")));
    tensor = call_torch(name, with_dtype, false);
  } else {
    throw NotPorted("numpy.{} is not translated", name);
  }
  tensor.type = array_type(tensor.type);
  return tensor;
}

/// `torch.norm(x)` and `x.norm(p=2, dim=1)`. Which of LibTorch's functions Python calls depends on the
/// release.
Value Translator::norm_of(const Arguments& arguments) {
  const auto* p = arguments.find("p", 1);
  const auto* dim = arguments.find("dim", 2);
  const auto* keep = arguments.find("keepdim", 3);
  const bool frobenius = p == nullptr || p->is_text("fro");
  const bool one = dim != nullptr && dim->is(Kind::integer);
  const bool several = dim != nullptr && dim->literal && !dim->elements.empty() && dim->elements.size() <= 2;
  if (!arguments.are({&arguments.positional[0], p, dim, keep}) || (dim != nullptr && !one && !several) ||
      (!frobenius && !p->is(Kind::integer) && !p->is(Kind::floating)))
    throw NotPorted("norm is called in a form that is not translated");
  std::vector<cpp::Expr> parts = {arguments.positional[0].expr};
  std::vector<const Value*> given = {&arguments.positional[0]};
  const auto add = [&](const cpp::Expr& part, const Value* argument) {
    parts.push_back(part);
    given.push_back(argument);
  };
  const bool whole = dim == nullptr && keep == nullptr;
  if (!frobenius || !whole) add(frobenius ? cpp::name("std::nullopt") : p->expr, p);
  if (!whole) add(one ? cpp::braces({dim->expr}) : several ? braces_of(*dim) : cpp::braces({}), dim);
  if (keep != nullptr) add(cpp::labelled("keepdim", keep->expr), keep);
  auto value =
      tensor_of(cpp::call("torchbook::nn::norm", std::move(parts)).in_order(arguments.order_of(given)));
  set_numbers(value.type, "norm", arguments);
  return value;
}

}  // namespace torchbook::translate
