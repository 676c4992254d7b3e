// Translates conversions between tensors, Python lists and NumPy arrays.
#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/operators.h>
#include <tools/import/translate/expressions/printing.h>
#include <tools/import/translate/expressions/subscripts.h>
#include <tools/import/translate/kinds/array.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/tensor.h>
#include <tools/import/translate/kinds/tuple.h>
#include <tools/import/translate/rows/builtins.h>
#include <tools/import/translate/rows/calls_by_schema.h>
#include <tools/import/translate/rows/functions_by_hand.h>
#include <tools/import/translate/rows/results.h>
#include <tools/import/translate/rows/signatures.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Returns `np.float32`, which is a dtype already, or "float32" as a dtype.
Value as_dtype(const Value& given) {
  if (given.is(Kind::dtype)) return given;
  const auto dtype = dtype_of_numpy(given.is_text(given.expr.text()) ? given.expr.text() : "");
  if (!dtype) refuse("an array of NumPy has a dtype that is not translated");
  return value_of(Kind::dtype, dtype);
}

Value as_array(Value tensor) {
  tensor.type = array_type(tensor.type);
  return tensor;
}

/// Whether a list has only numbers, of a type that is known unless the dtype is `chosen`.
bool has_plain_numbers(const Type& type, bool chosen) {
  if (type.is_number()) return chosen || !type.is(Kind::scalar);
  return (type.is(Kind::list) || type.is(Kind::tuple)) && !type.items.empty() &&
         std::all_of(type.items.begin(), type.items.end(),
                     [&](const Type& item) { return has_plain_numbers(item, chosen); });
}

Numbers numbers_in(const Type& type) { return type.is(Kind::array) ? type.numbers() : numbers_of(type); }

const char* dtype_of_number(const Value& value) {
  if (value.is(Kind::floating)) return "torch::kFloat64";
  if (value.is(Kind::integer)) return "torch::kInt64";
  if (value.is(Kind::boolean)) return "torch::kBool";
  refuse("numpy.full takes {}", in_words(value.type));
}

}  // namespace

/// Whether an index has only numbers and slices, so that `array[…]` shares memory.
static bool is_basic(const Node& slice) {
  if (slice.is(Ast::Tuple)) {
    const auto parts = slice.elts();
    return std::all_of(parts.begin(), parts.end(), [](const Node& each) { return is_basic(each); });
  }
  if (slice.is(Ast::Slice) && slice.step())
    return is_written_number(*slice.step()) && !slice.step()->is(Ast::UnaryOp);
  return slice.is(Ast::Slice) || slice.is(Ast::Constant) || slice.is(Ast::UnaryOp) || slice.is(Ast::Name);
}

/// `np.arange(0, 1, 0.1)`, `np.linspace(0, 1, 5)`: floats, which torch computes otherwise. Returns nullopt
/// for other functions, and for ints.
static std::optional<Value> floats_in_steps(std::string_view name, const Arguments& arguments) {
  const auto& values = arguments.positional;
  const auto is_number = [](const Value& each) { return each.type.is_number(); };
  const bool ints =
      std::all_of(values.begin(), values.end(), [](const Value& v) { return v.is(Kind::integer); });
  const bool numbers = std::all_of(values.begin(), values.end(), is_number) && arguments.named.empty();
  const bool arange = name == "arange" && !ints && !values.empty() && values.size() <= 3;
  const bool counts = values.size() == 2 || (values.size() == 3 && values[2].is(Kind::integer));
  const bool linspace = name == "linspace" && counts;
  if (!numbers || (!arange && !linspace)) return std::nullopt;
  std::vector<cpp::Expr> parts;
  if (values.size() == 1) parts.push_back(cpp::number("0.0"));
  for (const auto& value : values)
    parts.push_back(linspace && parts.size() == 2 ? value.expr : floating_literal(value));
  if (parts.size() == 2) parts.push_back(cpp::number(linspace ? "50" : "1.0"));
  return value_of(Type(types::Array{{.numbers = Numbers::floating, .dimensions = 1, .detached = true}}),
                  cpp::call(fmt::format("torchbook::np::{}", name), std::move(parts)));
}

/// `x.tolist()`. The depth of the list is known only at run time, so it can only be printed, unless
/// x is known to be a vector or a matrix.
static Value list_of_tensor(Builder& b, const Value& tensor) {
  const Type item = kind_of_numbers(b, tensor);
  const auto dimensions = tensor.type.dimensions();
  if (item.is(Kind::scalar) || (dimensions != 1 && dimensions != 2))
    return value_of(Type(types::List{types::Sequence::nested}),
                    cpp::braces({tensor.expr}, "torchbook::NestedList"));
  const bool vector = dimensions == 1;
  return value_of(
      vector ? list_of(item) : list_of(list_of(item)),
      cpp::call(fmt::format("torchbook::{}<{}>", vector ? "list" : "rows", cpp_type(item)), {tensor.expr}));
}

/// `torch.norm(x)` and `x.norm(p=2, dim=1)`. Which of LibTorch's functions Python calls depends on the
/// release.
static Value norm_of(const Arguments& arguments) {
  const auto [input, p, dim, keep] =
      match("norm", arguments, {{"input"}, {"p", {}, true}, {"dim", {}, true}, {"keepdim", {}, true}});
  const bool frobenius = p == nullptr || p->is_text("fro");
  const bool one = dim != nullptr && dim->is(Kind::integer);
  const bool several = dim != nullptr && dim->literal && !dim->elements.empty() && dim->elements.size() <= 2;
  if ((dim != nullptr && !one && !several) || (!frobenius && !p->is(Kind::integer) && !p->is(Kind::floating)))
    refuse("norm is called in a form that is not translated");
  std::vector<cpp::Expr> parts = {input->expr};
  std::vector<const Value*> given = {input};
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

std::optional<Value> call_carrier(Builder& b, std::string_view name, const Arguments& arguments) {
  const auto& positional = arguments.positional;
  if (name == "autograd.Variable") return variable_of(arguments);
  if (auto value = call_typed_tensor(b, name, arguments)) return value;
  if ((name == "from_numpy" || name == "as_tensor" || name == "tensor") && positional.size() == 1 &&
      positional[0].is(Kind::array)) {
    return tensor_of_array(b, name, arguments);
  }
  const bool of_list = name == "as_tensor" && !positional.empty() && positional[0].is(Kind::list);
  if (name == "tensor" || of_list) return tensor_literal(b, arguments);
  if (name == "unique" && !positional.empty() && positional[0].is(Kind::tensor))
    return unique_of(b, arguments);
  if (name == "meshgrid" && !positional.empty()) return meshgrid_of(b, arguments);
  if (name == "norm" && !positional.empty() && positional[0].is(Kind::tensor)) return norm_of(arguments);
  return std::nullopt;
}

std::optional<Value> call_carrying_method(Builder& b, std::string_view name, const Arguments& arguments) {
  const auto& tensor = arguments.positional[0];
  const bool bare = arguments.positional.size() == 1 && arguments.named.empty();
  if (name == "numpy" && bare) return as_array(tensor);
  if (name == "tolist" && bare) return list_of_tensor(b, tensor);
  if (name == "norm") return norm_of(arguments);
  if (name == "unique") return unique_of(b, arguments);
  if (name == "numpy" || name == "tolist") refuse("the method {} of a tensor is not translated", name);
  return std::nullopt;
}

Value tensor_of_array(Builder& b, std::string_view function, const Arguments& arguments) {
  auto value = arguments.positional[0];
  const bool copies = function == "tensor";
  value.type =
      Type(types::Tensor{.known = {.numbers = value.type.numbers(), .dimensions = value.type.dimensions()}});
  if (copies) value.expr = cpp::method(value.expr, "clone");
  value.temporary = value.temporary || copies;
  if (arguments.named.empty()) return value;
  const auto& [name, dtype] = arguments.named[0];
  if (arguments.named.size() != 1 || name != "dtype" || !dtype.is(Kind::dtype))
    refuse("torch.{} has an argument that is not translated", function);
  return tensor_method(b, value, "to", {.positional = {dtype}});
}

Value array_attribute(Builder& b, const Value& array, std::string_view name) {
  static const std::string dtype = "torchbook::np::DType";
  if (name == "dtype")
    return value_of(shown_type(dtype), cpp::braces({cpp::method(array.expr, "scalar_type")}, dtype));
  if (name == "size") return value_of(Kind::integer, cpp::method(array.expr, "numel"));
  const bool known = (name == "shape" && array.type.dimensions() >= 1) || name == "ndim" || name == "T";
  if (!known) refuse("the attribute {} of an array of NumPy is not translated", name);
  const auto value = tensor_attribute(b, tensor_of_array(b, "from_numpy", {.positional = {array}}), name);
  return name == "shape" ? tuple_of(b, value) : value.is(Kind::tensor) ? as_array(value) : value;
}

/// Returns the sum, the mean, the maximum, the minimum or their indices of an array. NumPy adds floats in
/// another order than LibTorch; sums of ints and bools are the same in any order.
static std::optional<Value> reduced_array(std::string_view name, const Value& array) {
  const auto numbers = array.type.numbers();
  const bool floats = numbers == Numbers::floating;
  const bool ints = numbers == Numbers::integer;
  const bool adds = (name == "sum" || name == "mean") && (ints || numbers == Numbers::boolean);
  const bool chooses = (name == "max" || name == "min") && (ints || floats);
  const bool finds = (name == "argmax" || name == "argmin") && (ints || floats);
  if (!array.is(Kind::array) || array.type.dimensions() < 1 || (!adds && !chooses && !finds))
    return std::nullopt;
  const auto of = name == "mean" ? cpp::method(array.expr, "to", {cpp::name("torch::kFloat64")}) : array.expr;
  const auto whole = cpp::method(of, chooses ? "a" + std::string(name) : name);
  const auto kind = !finds && (floats || name == "mean") ? Kind::floating : Kind::integer;
  return value_of(named_type(Kind::element, element_of_numpy, {Type(kind)}),
                  cpp::braces({whole}, element_of_numpy));
}

Value array_method(Builder& b, const Value& array, std::string_view name, const Arguments& arguments) {
  const auto& given = arguments.positional;
  const bool bare = arguments.count() == 0;
  const auto tensor = tensor_of_array(b, "from_numpy", {.positional = {array}});
  if (name == "tolist" && bare) return list_of_tensor(b, tensor);
  if (name == "item" && bare) return item_of_tensor(b, tensor);
  const auto reduced = bare ? reduced_array(name, array) : std::nullopt;
  if (reduced) return *reduced;
  const bool copies = (name == "copy" || name == "flatten") && bare;
  if (copies) {
    const auto flat = name == "copy" ? tensor : tensor_method(b, tensor, "flatten", {});
    return as_array(tensor_method(b, flat, "clone", {}));
  }
  if (name == "reshape" && !bare && arguments.named.empty())
    return as_array(tensor_method(b, tensor, name, arguments));
  if (name != "astype" || given.size() != 1 || !arguments.named.empty())
    refuse("the method {} of an array of NumPy is not translated", name);
  return as_array(
      tensor_of_array(b, "tensor", {.positional = {array}, .named = {{"dtype", as_dtype(given[0])}}}));
}

Value array_binary(Builder& b, Ast operation, const Value& left, const Value& right) {
  static const std::map<Ast, std::string_view> functions = {
      {Ast::Add, "add"},           {Ast::Sub, "subtract"},   {Ast::Mult, "multiply"},  {Ast::Div, "divide"},
      {Ast::Eq, "equal"},          {Ast::Lt, "less"},        {Ast::LtE, "less_equal"}, {Ast::Gt, "greater"},
      {Ast::GtE, "greater_equal"}, {Ast::NotEq, "not_equal"}};
  const bool squares =
      operation == Ast::Pow && right.is(Kind::integer) && right.number == "2" && !left.temporary;
  if (squares) return array_binary(b, Ast::Mult, left, left);
  const auto found = functions.find(operation);
  auto known =
      Known{.numbers = operation == Ast::Div ? Numbers::floating : Numbers::boolean, .dimensions = 0};
  for (const auto* side : {&left, &right}) {
    const bool array = side->is(Kind::array) && side->type.dimensions() != 0;
    if (!array && (!side->type.is_number() || side->is(Kind::scalar))) refuse_operands(left, right);
    if (array)
      known.dimensions = side->type.dimensions() < 0 || known.dimensions < 0
                             ? -1
                             : std::max(known.dimensions, side->type.dimensions());
  }
  if (found == functions.end()) refuse("the operator {} of NumPy is not translated", name_of(operation));
  if (operation == Ast::Add || operation == Ast::Sub || operation == Ast::Mult) {
    const auto one = numbers_in(left.type);
    const auto other = numbers_in(right.type);
    const bool floats = one == Numbers::floating || other == Numbers::floating;
    const bool unknown = one == Numbers::unknown || other == Numbers::unknown;
    known.numbers = floats ? Numbers::floating : unknown ? Numbers::unknown : std::max(one, other);
  }
  return value_of(Type(types::Array{known}),
                  cpp::call(fmt::format("torchbook::np::{}", found->second), {left.expr, right.expr}));
}

void change_array(Builder& b, Ast operation, const Value& array, const Value& value) {
  if (array.expr.acts()) refuse("an index of what it changes draws or changes something");
  b.emit(cpp::Evaluate{
      cpp::call("torchbook::np::assign", {array.expr, array_binary(b, operation, array, value).expr})});
}

/// `array[mask]`: a copy of the elements that a mask or indices choose.
static Value array_items(const Value& array, const Value& index) {
  const int dimensions = array.type.dimensions();
  const int chosen = index.type.dimensions();
  const bool mask = index.type.numbers() == Numbers::boolean;
  if (dimensions < 1 || chosen < 1 || chosen > dimensions ||
      (!mask && index.type.numbers() != Numbers::integer))
    refuse("an index of an array of NumPy is not translated");
  const auto kept = dimensions - (mask ? chosen : 1);
  return value_of(
      Type(types::Array{
          {.numbers = array.type.numbers(), .dimensions = kept + (mask ? 1 : chosen), .detached = true}}),
      cpp::method(array.expr, "index", {cpp::braces({index.expr})}));
}

Value array_item(Builder& b, const Value& array, const Node& slice) {
  if (slice.is(Ast::Compare) || slice.is(Ast::Name)) {
    const auto index = expression(b, slice);
    if (index.is(Kind::array)) return array_items(array, index);
  }
  if (!is_basic(slice)) refuse("an index of an array of NumPy is not translated");
  const auto part = tensor_item(b, tensor_of_array(b, "from_numpy", {.positional = {array}}), slice);
  if (part.type.dimensions() > 0) return as_array(part);
  const auto indices = slice.is(Ast::Tuple) ? slice.elts() : std::vector{slice};
  const bool ints = std::all_of(indices.begin(), indices.end(), [&b](const Node& each) {
    return is_written_number(each) || (each.is(Ast::Name) && expression(b, each).is(Kind::integer));
  });
  const bool one = ints && static_cast<int>(indices.size()) == array.type.dimensions();
  const auto numbers = array.type.numbers();
  const bool known = numbers == Numbers::integer || numbers == Numbers::floating;
  if (!one || !known) refuse("an element of an array of NumPy is not translated");
  return value_of(named_type(Kind::element, element_of_numpy,
                             {Type(numbers == Numbers::integer ? Kind::integer : Kind::floating)}),
                  cpp::braces({part.expr}, element_of_numpy));
}

Value number_of_element(const Value& value) {
  if (!value.is(Kind::element)) return value;
  const auto& kind = value.type.items.at(0);
  return value_of(kind, cpp::method(value.expr, kind.is(Kind::integer) ? "integer" : "floating"));
}

/// `np.array([1.0, 2.0])`
static Value array_literal(Builder& b, Arguments arguments, bool chosen) {
  const auto& numbers = arguments.positional[0];
  if (!has_plain_numbers(numbers.type, chosen))
    refuse("numpy.array takes {}, whose dtype in NumPy is not known", in_words(numbers.type));
  auto tensor = tensor_literal(b, arguments);
  if (!chosen && tensor.type.numbers() == Numbers::unknown)
    refuse("the dtype of an array of NumPy is not known");
  if (!chosen && tensor.type.numbers() == Numbers::floating) {
    auto parts = tensor.expr.parts();
    parts.push_back(cpp::name("torch::kFloat64"));
    tensor.expr = tensor.expr.with_parts(std::move(parts));
  }
  return as_array(tensor);
}

/// `np.sqrt(a)`: a function of each float of an array that LibTorch rounds as NumPy does, or nullopt. NumPy's
/// cosine and the like depend on the processor.
static std::optional<Value> exact_function(std::string_view name, const Value& array) {
  static const std::map<std::string_view, std::string_view> functions = {
      {"sqrt", "sqrt"}, {"square", "square"}, {"abs", "abs"},     {"absolute", "abs"}, {"floor", "floor"},
      {"ceil", "ceil"}, {"trunc", "trunc"},   {"round", "round"}, {"rint", "round"},   {"negative", "neg"}};
  const auto found = functions.find(name);
  if (found == functions.end() || array.type.numbers() != Numbers::floating || array.type.dimensions() < 1)
    return std::nullopt;
  return value_of(array.type, cpp::method(array.expr, found->second));
}

/// `np.add(a, 1, out=a)`, `np.max(a)`, `np.triu(a, 1)`: functions of arrays. Returns nullopt for another one.
static std::optional<Value> call_with_arrays(Builder& b, std::string_view name, const Arguments& arguments) {
  static const std::map<std::string_view, Ast> operators = {
      {"add", Ast::Add}, {"subtract", Ast::Sub}, {"multiply", Ast::Mult}, {"divide", Ast::Div}};
  const auto& given = arguments.positional;
  const auto found = operators.find(name);
  const bool two = given.size() == 2 && (given[0].is(Kind::array) || given[1].is(Kind::array));
  if (found != operators.end() && two) {
    const auto* out = arguments.find("out", 2);
    const auto result = array_binary(b, found->second, given[0], given[1]);
    if (arguments.named.empty()) return result;
    if (arguments.count() != 3 || out == nullptr || !out->is(Kind::array) || !out->expr.is(cpp::Kind::name))
      return std::nullopt;
    ++b.found.changes;
    auto value = value_of(
        Kind::none,
        cpp::call("torchbook::np::assign", {out->expr, result.expr}).with(cpp::writes(cpp::Place::memory)));
    value.displayed = out->type;
    value.gives = out->expr;
    return value;
  }
  const auto* diagonal = arguments.find("k", 1);
  const bool triangle = (name == "triu" || name == "tril") && !given.empty() && given[0].is(Kind::array) &&
                        given[0].type.dimensions() >= 2 &&
                        arguments.count() == (diagonal == nullptr ? 1U : 2U) &&
                        (diagonal == nullptr || diagonal->is(Kind::integer));
  if (triangle) {
    Arguments all{.positional = {tensor_of_array(b, "from_numpy", {.positional = {given[0]}})}};
    if (diagonal != nullptr) all.positional.push_back(*diagonal);
    return as_array(call_torch(b, name, all, false));
  }
  const bool one = given.size() == 1 && arguments.named.empty();
  const bool list = one && given[0].is(Kind::list) && has_plain_numbers(given[0].type, /*chosen=*/false);
  if (!one || (!list && !given[0].is(Kind::array))) return std::nullopt;
  if (auto value = list ? std::nullopt : exact_function(name, given[0])) return value;
  return reduced_array(name, list ? array_literal(b, arguments, /*chosen=*/false) : given[0]);
}

Value call_numpy(Builder& b, std::string_view name, const Arguments& arguments) {
  static const std::map<std::string_view, std::set<std::size_t>> creating = {
      {"zeros", {1}}, {"ones", {1}},       {"full", {2}},      {"eye", {1, 2}}, {"arange", {1, 2, 3}},
      {"array", {1}}, {"zeros_like", {1}}, {"ones_like", {1}}, {"linspace", {}}};
  const auto& values = arguments.positional;
  static const std::set<std::string_view> of_numbers = {"sqrt", "exp", "log", "sin", "cos", "tan", "tanh"};
  if (of_numbers.contains(name) && arguments.count() == 1 &&
      (values[0].is(Kind::integer) || values[0].is(Kind::floating)))
    return call_math(b, name, arguments);
  if (auto array = floats_in_steps(name, arguments)) return *array;
  if (auto value = call_with_arrays(b, name, arguments)) return *value;
  const auto found = creating.find(name);
  const bool chosen = arguments.named.size() == 1 && arguments.named[0].first == "dtype";
  if (found == creating.end() || !found->second.contains(values.size()) ||
      (!arguments.named.empty() && !chosen)) {
    const bool works = !signatures_of(name).empty();
    refuse("numpy.{} is not translated{}", name, works ? fmt::format("; torch.{} of tensors is", name) : "");
  }
  auto given = arguments;
  if (chosen) given.named[0].second = as_dtype(given.named[0].second);
  if (name == "array") return array_literal(b, std::move(given), chosen);
  const bool like = name.ends_with("_like");
  if (like && !values[0].is(Kind::array)) refuse("numpy.{} takes {}", name, in_words(values[0].type));
  if (like) given.positional[0] = tensor_of_array(b, "from_numpy", {.positional = {values[0]}});
  if (!chosen && !like) {
    const auto* const dtype = name == "arange" ? "torch::kInt64"
                              : name == "full" ? dtype_of_number(values[1])
                                               : "torch::kFloat64";
    given.named.emplace_back("dtype", value_of(Kind::dtype, cpp::name(dtype)));
  }
  return as_array(call_torch(b, name, given, false));
}

Value element_method(Builder& b, const Value& element, std::string_view name, const Arguments& arguments) {
  if (name != "item" || arguments.count() > 0) refuse("the method {} of an element is not translated", name);
  return converted(b, element.type.items.at(0).is(Kind::integer) ? "int" : "float", element);
}

Value element_binary(Builder& b, Ast operation, const Value& left, const Value& right) {
  const auto one = number_of_element(left);
  const auto other = number_of_element(right);
  static const std::set<Ast> known = {Ast::Add, Ast::Sub, Ast::Mult, Ast::Div};
  const auto is_number = [](const Value& each) { return each.is(Kind::integer) || each.is(Kind::floating); };
  if (!known.contains(operation) || !is_number(one) || !is_number(other)) refuse_operands(left, right);
  return binary_of(b, operation, one, other);
}

}  // namespace torchbook::translate
