#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/subscripts.h>
#include <tools/import/translate/kinds/gradients.h>
#include <tools/import/translate/kinds/tensor.h>
#include <tools/import/translate/rows/calls_by_schema.h>
#include <tools/import/translate/rows/functions_by_hand.h>
#include <tools/import/translate/rows/row.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Returns how many dimensions a tensor has after slices, ints and None in `x[…]`; -1 if that is not known.
int dimensions_behind(const Type& tensor, const Node& slice) {
  int dimensions = tensor.dimensions();
  for (const auto& each : slice.is(Ast::Tuple) ? slice.elts() : std::vector{slice}) {
    const bool none = each.is(Ast::Constant) && each.type() == "NoneType";
    const bool all = each.is(Ast::Slice) || (each.is(Ast::Constant) && each.type() == "ellipsis");
    if (dimensions < 0 || (!none && !all && !is_written_number(each))) return -1;
    dimensions += none ? 1 : all ? 0 : -1;
  }
  return dimensions;
}

/// Operators on tensors that are functions in C++.
const std::map<Ast, std::string_view> tensor_functions = {
    {Ast::MatMult, "torch::matmul"},     {Ast::FloorDiv, "torch::floor_divide"},
    {Ast::Mod, "torch::remainder"},      {Ast::Pow, "torch::pow"},
    {Ast::BitAnd, "torch::bitwise_and"}, {Ast::BitOr, "torch::bitwise_or"},
    {Ast::BitXor, "torch::bitwise_xor"}};

/// Attributes of a tensor that are methods in C++, and the kinds of their results.
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
    {"is_cuda", {Kind::boolean, "is_cuda"}},
    {"is_quantized", {Kind::boolean, "is_quantized"}},
    {"real", {Kind::tensor, "real"}},
    {"imag", {Kind::tensor, "imag"}}};

/// Methods that change the dtype.
const std::map<std::string_view, std::string_view> conversions = {
    {"float", "torch::kFloat"},       {"double", "torch::kDouble"}, {"half", "torch::kHalf"},
    {"bfloat16", "torch::kBFloat16"}, {"int", "torch::kInt"},       {"long", "torch::kLong"},
    {"short", "torch::kShort"},       {"bool", "torch::kBool"},     {"byte", "torch::kUInt8"},
    {"char", "torch::kInt8"}};

/// The arguments of a conversion, `x.float()`, `x.to(device, dtype)` or `x.type(dtype)`; empty if they are
/// not given.
struct Conversion {
  cpp::Expr device{};
  cpp::Expr dtype{};

  /// Adds an argument. Returns false if it is neither a device nor a dtype, or if there is one already.
  bool take(const Value& value) {
    auto& part = value.is(Kind::dtype) ? dtype : device;
    const auto given = moved_to(value);
    if (!given || part) return false;
    part = given;
    return true;
  }
};

/// Returns the conversion of such a method; nullopt for another method.
std::optional<Conversion> conversion(std::string_view name, const Arguments& arguments) {
  Conversion to;
  const auto found = conversions.find(name);
  if (found != conversions.end() && arguments.count() == 0) to.dtype = cpp::name(found->second);
  if (name != "to" && name != "type") return to.dtype ? std::optional(to) : std::nullopt;
  for (const auto& value : arguments.positional) {
    if (!to.take(value)) return std::nullopt;
  }
  for (const auto& [keyword, value] : arguments.named) {
    const bool fits = keyword == (value.is(Kind::dtype) ? "dtype" : "device");
    if (!fits || !to.take(value)) return std::nullopt;
  }
  const bool any = to.dtype || (name == "to" && to.device);
  return any && (name == "to" || !to.device) ? std::optional(to) : std::nullopt;
}

/// `x.float()`, `x.to(device)`; nullopt if it is another method. The result may be the tensor itself.
std::optional<Value> converted_tensor(const Value& tensor, std::string_view name,
                                      const Arguments& arguments) {
  const bool moves = (name == "cpu" || name == "cuda") && arguments.count() == 0;
  const auto to = moves ? Conversion{} : conversion(name, arguments);
  if (!to) return std::nullopt;
  std::vector<cpp::Expr> parts;
  if (to->device) parts.push_back(to->device);
  if (to->dtype) parts.push_back(to->dtype);
  auto value = tensor_of(cpp::method(tensor.expr, moves ? name : "to", std::move(parts)));
  value.type = *common_type(value.type, tensor.type);
  value.type.know(tensor.type.known());
  if (to->dtype) value.type.know_numbers(numbers_of_dtype(to->dtype));
  return value;
}

}  // namespace

/// Returns the kind of the numbers in a tensor; scalar if it is not known.
static Kind kind_of_numbers(const Value& tensor) {
  static const std::map<Numbers, Kind> kinds = {{Numbers::unknown, Kind::scalar},
                                                {Numbers::boolean, Kind::boolean},
                                                {Numbers::integer, Kind::integer},
                                                {Numbers::floating, Kind::floating}};
  return kinds.at(tensor.type.numbers());
}

Value item_of_tensor(const Value& tensor) {
  const auto kind = kind_of_numbers(tensor);
  const auto method = kind == Kind::scalar ? "item" : fmt::format("item<{}>", cpp_type(Type(kind)));
  return value_of(kind, cpp::method(tensor.expr, method));
}

Value list_of_tensor(Builder& /*b*/, const RowCall& given) {
  const auto [tensor] = given.as<1>();
  const Type item = kind_of_numbers(*tensor);
  const auto dimensions = tensor->type.dimensions();
  if (item.is(Kind::scalar) || (dimensions != 1 && dimensions != 2))
    return value_of(Type(types::List{types::Sequence::nested}),
                    cpp::braces({tensor->expr}, std::string(cpp::form::nested_list.text)));
  const bool vector = dimensions == 1;
  return value_of(
      vector ? list_of(item) : list_of(list_of(item)),
      cpp::call(fmt::format("torchbook::{}<{}>", vector ? "list" : "rows", cpp_type(item)), {tensor->expr}));
}

Value number_of_tensor(Builder& /*b*/, const RowCall& given) {
  const auto [tensor] = given.as<1>();
  return item_of_tensor(*tensor);
}

/// `x.numpy()`, which shares memory, as Python does
static Value array_of_tensor(Builder& /*b*/, const RowCall& given) {
  const auto [tensor] = given.as<1>();
  auto array = *tensor;
  array.type = array_type(tensor->type);
  return array;
}

/// `x.size()`, `x.stride(0)`
static Value sizes_of_tensor(Builder& b, const RowCall& given) {
  const auto [tensor, dim] = given.as<2>();
  if (dim != nullptr) return value_of(Kind::integer, cpp::method(tensor->expr, given.name, {dim->expr}));
  if (given.name == "size") return tensor_attribute(b, *tensor, "shape");
  return value_of(
      Type(types::List{types::Sequence::nested}),
      cpp::braces({cpp::method(cpp::method(tensor->expr, "strides"), "vec")}, "torchbook::Tuple"));
}

static const std::vector<Row> methods_of_tensor = {
    {"dim ndimension", {self_parameter}, ".dim", Kind::integer},
    {"numel nelement", {self_parameter}, ".numel", Kind::integer},
    {"storage_offset element_size get_device", {self_parameter}, ".{}", Kind::integer},
    {"is_contiguous is_floating_point is_complex", {self_parameter}, ".{}", Kind::boolean},
    {"data_ptr", {self_parameter}, ".data_ptr", shown_type("const void*")},
    {"size stride", {self_parameter, {"dim", {Kind::integer}, true}}, sizes_of_tensor},
    {"item", {self_parameter}, number_of_tensor},
    {"numpy", {self_parameter}, array_of_tensor},
    {"tolist", {self_parameter}, list_of_tensor},
    {"norm", {{"input", {Kind::tensor}}, {"p", {}, true}, {"dim", {}, true}, {"keepdim", {}, true}}, norm_of},
    {"unique",
     {self_parameter,
      {"sorted", {Kind::boolean}, true},
      {"return_inverse", {Kind::boolean}, true},
      {"return_counts", {Kind::boolean}, true}},
     unique_of}};

Value tensor_method(Builder& b, const Value& tensor, std::string_view name, const Arguments& arguments) {
  if (name == "backward") return backward_of(b, tensor, arguments);
  if (name == "type" && arguments.count() == 0)
    return value_of(Kind::string, cpp::call("torchbook::type_name", {tensor.expr}));
  if (auto value = converted_tensor(tensor, name, arguments)) return *value;
  const auto whole = fmt::format("the method {} of a tensor", name);
  if (const auto* row = row_named(methods_of_tensor, name))
    return call_row(b, *row, name, whole, arguments.of(tensor));
  static const std::set<std::string_view> others = {
      "type", "to", "stft", "istft", "register_hook", "split_with_sizes", "index", "new_tensor"};
  if (others.contains(name)) refuse("{} is not translated", whole);
  return call_torch(b, name, arguments.of(tensor), true);
}

Value tensor_attribute(Builder& /*b*/, const Value& tensor, std::string_view name) {
  if (name == "shape") {
    auto value = value_of(Kind::size, cpp::call(cpp::form::shape, {tensor.expr}));
    value.type.know_dimensions(tensor.type.dimensions());
    return value;
  }
  if (name == "layout") return value_of(shown_type("torch::Layout"), cpp::method(tensor.expr, "layout"));
  if (name == "grad_fn") {
    return value_of(shown_type("torchbook::GradFn"),
                    cpp::braces({cpp::method(tensor.expr, "grad_fn")}, "torchbook::GradFn"));
  }
  const auto found = tensor_attributes.find(name);
  if (found == tensor_attributes.end()) {
    refuse("the attribute {} of a tensor is not translated", name);
  }
  const auto code = std::string(found->second.second);
  auto value = value_of(found->second.first, name == "imag" || name == "real"
                                                 ? cpp::call("torch::" + code, {tensor.expr})
                                                 : cpp::method(tensor.expr, code));
  if (value.is(Kind::tensor)) {
    value.type.know(tensor.type.known());
    value.type.know_detached(name == "data" || (tensor.type.detached() && name != "grad"));
  }
  return value;
}

Value device_attribute(Builder& /*b*/, const Value& device, std::string_view name) {
  if (name != "type") refuse("the attribute {} of a device is not translated", name);
  return value_of(Kind::string,
                  cpp::call("torch::DeviceTypeName", {cpp::method(device.expr, "type"),
                                                      cpp::labelled("lower_case", cpp::boolean(true))}));
}

Value tensor_item(Builder& b, const Value& tensor, const Node& slice) {
  const auto at = index_of(b, slice);
  auto value = tensor_of(at.is_one ? cpp::subscript(tensor.expr, at.code)
                                   : cpp::method(tensor.expr, "index", {at.code}));
  const auto& type = tensor.type;
  value.type.know(type.known());
  value.type.know_dimensions(at.is_one ? std::max(type.dimensions(), 0) - 1 : dimensions_behind(type, slice));
  return value;
}

Value tensor_rows(Builder& /*b*/, const Value& tensor) {
  auto rows = value_of(list_of(Kind::tensor), cpp::method(tensor.expr, "unbind"));
  rows.type.items[0].know(tensor.type.known());
  rows.type.items[0].know_dimensions(std::max(tensor.type.dimensions(), 0) - 1);
  return rows;
}

Value tensor_length(Builder& /*b*/, const Value& tensor) {
  return value_of(Kind::integer, cpp::method(tensor.expr, "size", {cpp::number(0)}));
}

cpp::Expr tensor_truth(Builder& /*b*/, const Value& tensor) { return cpp::method(tensor.expr, "item<bool>"); }

/// `2 ** x`: Python makes the number a tensor of the dtype that both promote to.
static Value power_of_number(Builder& b, const Value& base, Value exponent) {
  const auto power = [&](const Value& number) {
    return b.named(exponent, "exponent", [&](const Value& tensor) {
      auto dtype = cpp::call("torch::result_type", {number.expr, tensor.expr});
      auto whole = cpp::call("torch::scalar_tensor", {number.expr, std::move(dtype)});
      return tensor_of(cpp::method(std::move(whole), "pow", {tensor.expr}));
    });
  };
  const bool once = !base.literal && (base.acts() || exponent.acts());
  return once ? b.named(base, "base", power) : power(base);
}

static Value computed_tensor(Builder& b, Ast operation, const Value& left, const Value& right) {
  if (operation == Ast::Sub && !left.is(Kind::tensor)) {  // C++ would negate in the dtype of the tensor first
    return tensor_of(cpp::call("torch::rsub", {right.expr, left.expr}).in_order({1, 0}));
  }
  if (operation == Ast::Div && !left.is(Kind::tensor)) {  // as in Python; C++ would divide
    const auto reciprocal = tensor_of(cpp::method(right.expr, "reciprocal"));
    auto value = with_operator(reciprocal, Ast::Mult, left, Kind::tensor);
    value.expr = value.expr.in_order({1, 0});
    return value;
  }
  if (is_operator(operation)) return with_operator(left, operation, right, Kind::tensor);
  const auto found = tensor_functions.find(operation);
  if (found == tensor_functions.end()) refuse("the operator {} is not translated", name_of(operation));
  if (operation != Ast::Pow &&
      (!left.is(Kind::tensor) || (operation == Ast::MatMult && !right.is(Kind::tensor)))) {
    refuse("the operator {} on {} is not translated", name_of(operation), in_words(left.type));
  }
  if (operation == Ast::Pow && !left.is(Kind::tensor)) return power_of_number(b, left, right);
  return tensor_of(operation == Ast::Pow ? cpp::method(left.expr, "pow", {right.expr})
                                         : cpp::call(found->second, {left.expr, right.expr}));
}

Value tensor_binary(Builder& b, Ast operation, const Value& left, const Value& right) {
  const auto fits = [](const Value& side) { return side.is(Kind::tensor) || side.type.is_number(); };
  if (!fits(left) || !fits(right)) refuse_operands(left, right);
  auto value = computed_tensor(b, operation, left, right);
  set_numbers_of_operator(value.type, operation, left.type, right.type);
  return value;
}

}  // namespace torchbook::translate
