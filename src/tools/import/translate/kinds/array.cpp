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
#include <tools/import/translate/rows/row.h>
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

Type element_type(Numbers numbers) {
  return named_type(Kind::element, element_of_numpy,
                    {Type(numbers == Numbers::integer ? Kind::integer : Kind::floating)});
}

/// Returns the arguments that make an element, or several, of an array: NumPy's release decides its repr.
std::vector<cpp::Expr> with_release(const Builder& b, const cpp::Expr& array) {
  const int release = b.cells.front().numpy;
  return release == 1 ? std::vector{array} : std::vector{array, cpp::number(release)};
}

const char* dtype_of_number(const Value& value) {
  if (value.is(Kind::floating)) return "torch::kFloat64";
  if (value.is(Kind::integer)) return "torch::kInt64";
  if (value.is(Kind::boolean)) return "torch::kBool";
  refuse("numpy.full takes {}", in_words(value.type));
}

constexpr std::string_view number_of_python =
    "C++ displays what it computed from a number of NumPy as NumPy 1 does";

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

/// Returns an array as a tensor, which shares its memory.
static Value as_tensor(const Value& array) {
  auto tensor = array;
  tensor.type =
      Type(types::Tensor{.known = {.numbers = array.type.numbers(), .dimensions = array.type.dimensions()}});
  return tensor;
}

Value tensor_of_array(Builder& b, std::string_view function, const Arguments& arguments) {
  const auto [array, dtype] = match(fmt::format("torch.{}", function), arguments,
                                    {{"data", {Kind::array}}, {"*dtype", {Kind::dtype}, true}});
  auto value = as_tensor(*array);
  const bool copies = function == "tensor";
  if (copies) value.expr = cpp::method(value.expr, "clone");
  value.temporary = value.temporary || copies;
  return dtype == nullptr ? value : tensor_method(b, value, "to", {.positional = {*dtype}});
}

Value array_attribute(Builder& b, const Value& array, std::string_view name) {
  static const std::string dtype = "torchbook::np::DType";
  if (name == "dtype")
    return value_of(shown_type(dtype), cpp::braces({cpp::method(array.expr, "scalar_type")}, dtype));
  if (name == "size") return value_of(Kind::integer, cpp::method(array.expr, "numel"));
  const bool known = (name == "shape" && array.type.dimensions() >= 1) || name == "ndim" || name == "T";
  if (!known) refuse("the attribute {} of an array of NumPy is not translated", name);
  const auto value = tensor_attribute(b, as_tensor(array), name);
  return name == "shape" ? tuple_of(b, value) : value.is(Kind::tensor) ? as_array(value) : value;
}

/// `np.array([1.0, 2.0])`, with a dtype if that is not nullptr
static Value array_with(Builder& b, const Value& numbers, const Value* dtype) {
  const bool chosen = dtype != nullptr;
  if (!has_plain_numbers(numbers.type, chosen))
    refuse("numpy.array takes {}, whose dtype in NumPy is not known", in_words(numbers.type));
  Arguments given{.positional = {numbers}};
  if (chosen) given.named.emplace_back("dtype", as_dtype(*dtype));
  auto tensor = tensor_literal(b, given);
  if (!chosen && tensor.type.numbers() == Numbers::unknown)
    refuse("the dtype of an array of NumPy is not known");
  if (!chosen && tensor.type.numbers() == Numbers::floating) {
    auto parts = tensor.expr.parts();
    parts.push_back(cpp::name("torch::kFloat64"));
    tensor.expr = tensor.expr.with_parts(std::move(parts));
  }
  return as_array(tensor);
}

/// `np.sum(x)`, `x.mean(axis=0)`, `np.max([1, 2])`, `x.argmin()`, `x.std(ddof=1)`
static Value reduced_array(Builder& b, const RowCall& given) {
  const auto *values = given.values[0], *axis = given.values[1];
  const bool varies = given.name == "var" || given.name == "std";
  const bool keeps = given.values.size() > 2 && written_flag(given.values.back(), "keepdims");
  const bool list = values->is(Kind::list) && has_plain_numbers(values->type, /*chosen=*/false);
  const auto array = list ? array_with(b, *values, nullptr) : *values;
  const auto numbers = array.type.numbers();
  const auto dimensions = array.type.dimensions();
  const bool floats = numbers == Numbers::floating;
  const bool ints = numbers == Numbers::integer;
  const bool finds = given.name.starts_with("arg");
  const bool chooses = finds || given.name == "max" || given.name == "min";
  if (!array.is(Kind::array) || dimensions < 1 ||
      !(floats || ints || (numbers == Numbers::boolean && !chooses)))
    refuse("the {} of {} is not translated", given.name, in_words(array.type));
  if (keeps && axis == nullptr) refuse("keepdims without an axis is not translated");
  if (floats && !chooses)
    b.found.limits.emplace("C++ adds up to 8192 floats, in rows, as all releases of NumPy do");
  std::vector<cpp::Expr> arguments;
  if (axis != nullptr) arguments.push_back(given.code(b, 1));
  if (varies && given.values[2] != nullptr && axis == nullptr) arguments.push_back(cpp::name("c10::nullopt"));
  if (varies && !arguments.empty()) arguments.push_back(given.code(b, 2));
  if (keeps) arguments.push_back(cpp::boolean(true));
  auto code =
      chooses ? cpp::method(array.expr, (finds ? "" : "a") + std::string(given.name), arguments) : array.expr;
  if (!chooses) {
    arguments.insert(arguments.begin(), array.expr);
    code = cpp::call(fmt::format("torchbook::np::{}", varies ? "var" : given.name), arguments);
  }
  if (given.name == "std") code = cpp::method(code, "sqrt");
  const bool is_float = !finds && (floats || varies || given.name == "mean");
  const auto kind = is_float ? Numbers::floating : Numbers::integer;
  const auto left = axis == nullptr ? 0 : dimensions - (keeps ? 0 : 1);
  if (left == 0) return value_of(element_type(kind), cpp::braces(with_release(b, code), element_of_numpy));
  return as_array(value_of(Type(types::Tensor{.known = {.numbers = kind, .dimensions = left}}), code));
}

/// `x.copy()`, `x.flatten()`
static Value copied_array(Builder& b, const RowCall& given) {
  const auto [array] = given.as<1>();
  const auto tensor = as_tensor(*array);
  return as_array(tensor_method(b, given.name == "copy" ? tensor : tensor_method(b, tensor, given.name, {}),
                                "clone", {}));
}

static Value reshaped_array(Builder& b, const RowCall& given) {
  auto all = given.arguments;
  all.positional[0] = as_tensor(all.positional[0]);
  return as_array(call_torch(b, given.name, all, true));
}

/// `x.astype(np.float32)`
static Value array_as_type(Builder& b, const RowCall& given) {
  const auto [array, dtype] = given.as<2>();
  return as_array(
      tensor_of_array(b, "tensor", {.positional = {*array}, .named = {{"dtype", as_dtype(*dtype)}}}));
}

/// Sums and choices, as functions and as methods of an array.
static const std::vector<Row> reductions_of_array = {
    {"sum mean max min",
     {{"a"}, {"axis", {Kind::integer}, true}, {"*keepdims", {Kind::boolean}, true}},
     reduced_array},
    {"var std",
     {{"a"},
      {"axis", {Kind::integer}, true},
      {"*ddof", {Kind::integer}, true, "0"},
      {"*keepdims", {Kind::boolean}, true}},
     reduced_array},
    {"argmax argmin", {{"a"}, {"axis", {Kind::integer}, true}}, reduced_array}};

static const std::vector<Row> methods_of_array = {{"tolist", {self_parameter}, list_of_tensor},
                                                  {"item", {self_parameter}, number_of_tensor},
                                                  {"copy flatten", {self_parameter}, copied_array},
                                                  {"reshape", {}, reshaped_array},
                                                  {"astype", {self_parameter, {"dtype"}}, array_as_type}};

Value array_method(Builder& b, const Value& array, std::string_view name, const Arguments& arguments) {
  const auto& rows = row_named(reductions_of_array, name) ? reductions_of_array : methods_of_array;
  return call_table(b, rows, name, fmt::format("the method {} of an array of NumPy", name),
                    arguments.of(array));
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
  const auto part = tensor_item(b, as_tensor(array), slice);
  if (part.type.dimensions() > 0) return as_array(part);
  const auto indices = slice.is(Ast::Tuple) ? slice.elts() : std::vector{slice};
  const bool ints = std::all_of(indices.begin(), indices.end(), [&b](const Node& each) {
    return is_written_number(each) || (each.is(Ast::Name) && expression(b, each).is(Kind::integer));
  });
  const bool one = ints && static_cast<int>(indices.size()) == array.type.dimensions();
  const auto numbers = array.type.numbers();
  const bool known = numbers == Numbers::integer || numbers == Numbers::floating;
  if (!one || !known) refuse("an element of an array of NumPy is not translated");
  return value_of(element_type(numbers), cpp::braces(with_release(b, part.expr), element_of_numpy));
}

Value array_rows(Builder& b, const Value& array) {
  const auto dimensions = array.type.dimensions();
  const auto numbers = array.type.numbers();
  if (dimensions > 1) {
    const Type row(types::Array{{.numbers = numbers, .dimensions = dimensions - 1}});
    return value_of(list_of(row), cpp::method(array.expr, "unbind"));
  }
  if (dimensions < 1 || (numbers != Numbers::integer && numbers != Numbers::floating))
    refuse("it loops over an array of NumPy whose numbers may not be ints or floats");
  return value_of(list_of(element_type(numbers)),
                  cpp::call("torchbook::np::elements", with_release(b, array.expr)));
}

Value number_of_element(const Value& value) {
  if (!value.is(Kind::element)) return value;
  const auto& kind = value.type.items.at(0);
  return value_of(kind, cpp::method(value.expr, kind.is(Kind::integer) ? "integer" : "floating"));
}

/// `np.add(a, 1)`, `np.add(a, 1, out=a)`
static Value array_operator(Builder& b, const RowCall& given) {
  static const std::map<std::string_view, Ast> operators = {
      {"add", Ast::Add}, {"subtract", Ast::Sub}, {"multiply", Ast::Mult}, {"divide", Ast::Div}};
  const auto [left, right, out] = given.as<3>();
  const bool named = out == nullptr || out->expr.is(cpp::Kind::name);
  if ((!left->is(Kind::array) && !right->is(Kind::array)) || !named) given.refuse_form();
  auto result = array_binary(b, operators.at(given.name), *left, *right);
  if (out == nullptr) return result;
  ++b.found.changes;
  auto value = value_of(
      Kind::none,
      cpp::call("torchbook::np::assign", {out->expr, result.expr}).with(cpp::writes(cpp::Place::memory)));
  value.displayed = out->type;
  value.returned_module = out->expr;
  return value;
}

[[noreturn]] static void refuse_function(std::string_view name) {
  const bool works = !signatures_of(name).empty();
  refuse("numpy.{} is not translated{}", name, works ? fmt::format("; torch.{} of tensors is", name) : "");
}

/// `np.sqrt(2.0)`, and `np.sqrt(a)`: functions of each float of an array that LibTorch rounds as NumPy does.
/// NumPy's cosine and the like depend on the processor.
static Value function_of_each(Builder& b, const RowCall& given) {
  static const std::map<std::string_view, std::string_view> exact = {
      {"sqrt", "sqrt"}, {"square", "square"}, {"abs", "abs"},     {"absolute", "abs"}, {"floor", "floor"},
      {"ceil", "ceil"}, {"trunc", "trunc"},   {"round", "round"}, {"rint", "round"},   {"negative", "neg"}};
  static const std::set<std::string_view> of_numbers = {"sqrt", "exp", "log", "sin", "cos", "tan", "tanh"};
  const auto& x = *given.values[0];
  const auto found = exact.find(given.name);
  if (found != exact.end() && x.is(Kind::array) && x.type.numbers() == Numbers::floating &&
      x.type.dimensions() > 0)
    return value_of(x.type, cpp::method(x.expr, found->second));
  if (!of_numbers.contains(given.name) || (!x.is(Kind::integer) && !x.is(Kind::floating)))
    refuse_function(given.name);
  b.limit_of_numpy_2(number_of_python);
  return call_math(b, given.name, given.arguments);
}

/// `np.triu(a, 1)`, `np.tril(a)`
static Value triangle(Builder& b, const RowCall& given) {
  const auto [array, diagonal] = given.as<2>();
  if (array->type.dimensions() < 2) refuse("numpy.{} takes an array that may be a vector", given.name);
  Arguments all{.positional = {as_tensor(*array)}};
  if (diagonal != nullptr) all.positional.push_back(*diagonal);
  return as_array(call_torch(b, given.name, all, false));
}

/// Calls the function of torch that has the same name as one of NumPy. The dtype is the last parameter.
static Value made_array(Builder& b, const RowCall& given) {
  Arguments all;
  for (std::size_t i = 0; i + 1 < given.values.size(); ++i) {
    const auto* value = given.values[i];
    if (value != nullptr) all.positional.push_back(value->is(Kind::array) ? as_tensor(*value) : *value);
  }
  const bool like = given.name.ends_with("_like");
  const auto* const default_dtype = given.name == "arange" ? "torch::kInt64"
                                    : given.name == "full" ? dtype_of_number(*given.values[1])
                                                           : "torch::kFloat64";
  if (const auto* dtype = given.values.back())
    all.named.emplace_back("dtype", as_dtype(*dtype));
  else if (!like)
    all.named.emplace_back("dtype", value_of(Kind::dtype, cpp::name(default_dtype)));
  return as_array(call_torch(b, given.name, all, false));
}

static Value array_from(Builder& b, const RowCall& given) {
  const auto [numbers, dtype] = given.as<2>();
  return array_with(b, *numbers, dtype);
}

static const auto floats_in_array =
    Type(types::Array{{.numbers = Numbers::floating, .dimensions = 1, .detached = true}});

/// `np.arange(5)`, and `np.arange(0, 1, 0.1)`: floats, which torch computes in another way
static Value array_of_steps(Builder& b, const RowCall& given) {
  const auto [start, stop, step, dtype] = given.as<4>();
  const auto is_int = [](const Value* each) { return each == nullptr || each->is(Kind::integer); };
  if (dtype != nullptr || (is_int(start) && is_int(stop) && is_int(step))) return made_array(b, given);
  const auto first = given.code(b, 0);
  const bool from_zero = stop == nullptr;
  return value_of(floats_in_array, cpp::call("torchbook::np::arange",
                                             {from_zero ? cpp::number("0.0") : first,
                                              from_zero ? first : given.code(b, 1), given.code(b, 2)}));
}

static const CallParameter dtype_of_array{"dtype", {}, true};

static const std::vector<Row> functions_of_numpy = {
    {"sqrt exp log sin cos tan tanh square abs absolute floor ceil trunc round rint negative",
     {{"x"}},
     function_of_each},
    {"linspace",
     {{"start", {Kind::floating}}, {"stop", {Kind::floating}}, {"num", {Kind::integer}, true, "50"}},
     "torchbook::np::{}",
     floats_in_array},
    {"arange",
     {{"start", {Kind::floating}},
      {"stop", {Kind::floating}, true},
      {"step", {Kind::floating}, true, "1.0"},
      dtype_of_array},
     array_of_steps},
    {"array", {{"object"}, dtype_of_array}, array_from},
    {"zeros ones", {{"shape"}, dtype_of_array}, made_array},
    {"full", {{"shape"}, {"fill_value"}, dtype_of_array}, made_array},
    {"eye", {{"N"}, {"M", {Kind::integer}, true}, {"*dtype", {}, true}}, made_array},
    {"zeros_like ones_like", {{"a", {Kind::array}}, dtype_of_array}, made_array},
    {"add subtract multiply divide", {{"x1"}, {"x2"}, {"out", {Kind::array}, true}}, array_operator},
    {"triu tril", {{"m", {Kind::array}}, {"k", {Kind::integer}, true}}, triangle}};

Value call_numpy(Builder& b, std::string_view name, const Arguments& arguments) {
  const auto* row = row_named(functions_of_numpy, name);
  if (row == nullptr) row = row_named(reductions_of_array, name);
  if (row == nullptr) refuse_function(name);
  return call_row(b, *row, name, fmt::format("numpy.{}", name), arguments);
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
  b.limit_of_numpy_2(number_of_python);
  return binary_of(b, operation, one, other);
}

}  // namespace torchbook::translate
