#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/cpp/forms.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/printing.h>
#include <tools/import/translate/kinds/array.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/sequences.h>
#include <tools/import/translate/rows/calls_by_schema.h>
#include <tools/import/translate/rows/functions_by_hand.h>
#include <tools/import/translate/rows/results.h>
#include <tools/import/translate/rows/row.h>

#include <algorithm>
#include <cstddef>
#include <set>

namespace torchbook::translate {
namespace {

/// `torch.device("cpu")` and `torch.device("cuda", 0)`. The meaning of `torch.device(0)` depends on the
/// release and the machine.
Value device_named(Builder& /*b*/, const RowCall& given) {
  const auto [type, index] = given.as<2>();
  if (index == nullptr) return value_of(Kind::device, cpp::call(cpp::form::device, {type->expr}));
  if (index->number.empty() || !type->literal) given.refuse_form();
  const auto name = type->expr.text() + ":" + index->number;
  return value_of(Kind::device, cpp::call(cpp::form::device, {cpp::string(name)}));
}

/// Functions of Python that do more than those of the same name in LibTorch.
const std::set<std::string_view> other_functions = {
    "unique_consecutive", "tensordot", "stft", "istft", "load", "save"};

/// Adds the kinds of the numbers in a list of lists. Returns whether there are only numbers.
bool add_kinds(const Value& value, std::set<Kind>& kinds) {
  if (value.type.is_number()) {
    kinds.insert(value.type.kind());
    return !value.is(Kind::scalar);
  }
  return value.literal && !value.elements.empty() &&
         std::all_of(value.elements.begin(), value.elements.end(),
                     [&](const Value& element) { return add_kinds(element, kinds); });
}

/// Returns literal lists in which named tuples are replaced by their parts.
Value with_parts(Value value) {
  const bool named = value.type.is(types::Group::tuple) && !value.literal && !value.temporary;
  if (named) {
    value.elements = parts_of(value);
    value.literal = true;
  }
  for (auto& element : value.elements) element = with_parts(std::move(element));
  return value;
}

/// Returns the depth of nested literal lists.
int depth(const Value& value) {
  if (value.is(Kind::list) && !value.literal) return 1;
  return value.elements.empty() ? 0 : 1 + depth(value.elements[0]);
}

void make_floating(Value& value) {
  if (value.is(Kind::integer)) value.expr = floating_literal(value);
  for (auto& element : value.elements) make_floating(element);
}

/// Whether an int that is written out may be too large for C++'s int.
bool is_large(const cpp::Expr& number) {
  const bool negative = number.is(cpp::Kind::unary);
  constexpr std::size_t most_letters = 9;
  return (negative ? 1 + number.part(0).text().size() : number.text().size()) > most_letters;
}

/// Whether nested lists have an int that is no literal, or is large.
bool has_long(const Value& value) {
  return (value.is(Kind::integer) && (!value.literal || is_large(value.expr))) ||
         std::any_of(value.elements.begin(), value.elements.end(), has_long);
}

/// Makes int literals int64_t like the other ints: a list for LibTorch has one type.
void make_long(Value& value) {
  if (value.is(Kind::integer) && value.literal) value.expr = cpp::braces({value.expr}, "int64_t");
  for (auto& element : value.elements) make_long(element);
}

/// Returns the type of a list's items; None for an empty list or another value.
Type item_of_list(const Type& list) {
  return list.is(Kind::list) && !list.items.empty() ? list.items[0] : Type{};
}

/// Whether the items of a literal list are lists of ints that are no literals.
bool holds_lists_of_ints(const Value& value) {
  return value.is(Kind::list) && value.literal &&
         std::all_of(value.elements.begin(), value.elements.end(), [](const Value& element) {
           return element.is(Kind::list) && !element.literal && element.type == list_of(Type(Kind::integer));
         });
}

/// Converts the numbers of a list of lists to one type. Returns their kind.
Numbers make_alike(Value& value) {
  std::set<Kind> kinds;
  if (!add_kinds(value, kinds)) refuse("torch.tensor takes something other than numbers");
  if (kinds.contains(Kind::boolean) && kinds.size() > 1) refuse("torch.tensor takes bools and numbers");
  if (kinds.size() > 1) {
    make_floating(value);
  } else if (has_long(value)) {
    make_long(value);
  }
  auto numbers = Numbers::unknown;
  for (const auto kind : kinds) numbers = std::max(numbers, numbers_of(Type(kind)));
  return numbers;
}

/// Returns a tensor that nothing else holds as a leaf that may require gradients.
cpp::Expr leaf_with_gradients(const cpp::Expr& tensor, std::vector<cpp::Expr> wanted = {}) {
  return cpp::method(tensor, "requires_grad_", std::move(wanted)).with_only(cpp::reads(cpp::Place::memory));
}

/// `torch.einsum("ij,jk->ik", a, b)`, whose tensors may also be a list.
Value einsum_of(Builder& /*b*/, const RowCall& given) {
  const auto& values = given.arguments.positional;
  const bool list = values.size() == 2 && !values[1].elements.empty();
  const auto tensors = list             ? values[1].elements
                       : values.empty() ? values
                                        : std::vector<Value>(values.begin() + 1, values.end());
  const auto fits = [](const Value& each) { return each.is(Kind::tensor); };
  if (tensors.empty() || !values[0].is(Kind::string) || !given.arguments.named.empty() ||
      !std::all_of(tensors.begin(), tensors.end(), fits))
    given.refuse_form();
  return tensor_of(
      cpp::call("torch::einsum", {values[0].expr, list ? braces_of(values[1]) : in_braces(tensors)}));
}

}  // namespace

/// If a literal list has a number that may be an int or a float, returns it as a list of such
/// numbers. Returns any other value as it is.
static Value with_any_numbers(const Value& value) {
  const auto& elements = value.elements;
  const auto is_any = [](const Value& each) { return each.is(Kind::scalar); };
  const auto is_number = [](const Value& each) { return each.type.is_number(); };
  const bool mixes = value.literal && std::any_of(elements.begin(), elements.end(), is_any) &&
                     std::all_of(elements.begin(), elements.end(), is_number);
  return mixes ? list_with_type(value, value.elements, list_of(Kind::scalar)) : value;
}

/// `torch.tensor([a.sum(), b.sum()])`: PyTorch takes the numbers of tensors without dimensions. Returns
/// nullopt for a list of anything else.
static std::optional<Value> stacked_scalars(const Value& list) {
  const auto item = item_of_list(list.type);
  if (!list.is(Kind::list) || !item.is(Kind::tensor) || item.dimensions() > 0) return std::nullopt;
  const auto tensors = list.literal ? braces_of(list) : list.expr;
  const auto stacked = cpp::call("torch::stack", {tensors});
  return value_of(Type(types::Tensor{.known = {.numbers = item.numbers(),
                                               .dimensions = item.dimensions() == 0 ? 1 : -1,
                                               .detached = true}}),
                  item.detached() ? stacked : cpp::method(stacked, "detach"));
}

/// Whether the options of a new tensor are a dtype with 16 bits and nothing else.
static bool is_narrow(const cpp::Expr& options) {
  static const std::set<std::string_view> narrow = {"torch::kHalf", "torch::kFloat16", "torch::kBFloat16"};
  return options && options.is(cpp::Kind::name) && narrow.contains(options.text());
}

/// Returns a new tensor with the options, which may be empty. LibTorch refuses numbers that Python makes
/// infinite with 16 bits.
static cpp::Expr made_with(const char* function, cpp::Expr numbers, const cpp::Expr& options) {
  const bool narrow = is_narrow(options);
  std::vector<cpp::Expr> parts = {std::move(numbers)};
  if (options) parts.push_back(narrow ? cpp::name("torch::kFloat64") : options);
  auto tensor = cpp::call(function, std::move(parts));
  return narrow ? cpp::method(tensor, "to", {options}) : tensor;
}

/// `torch.tensor([])`
static Value empty_tensor(const cpp::Expr& options) {
  std::vector<cpp::Expr> parts = {cpp::braces({cpp::number(0)})};
  if (options) parts.push_back(options);
  return tensor_of(cpp::call("torch::empty", std::move(parts)));
}

/// `torch.tensor(x)`, of which Python warns
static Value detached_copy(const Value& tensor) {
  auto copy = tensor_of(cpp::method(cpp::method(tensor.expr, "detach"), "clone"));
  copy.type.know(tensor.type.known());
  copy.type.know_detached(true);
  return copy;
}

/// The dtypes of `torch.FloatTensor` and the like.
static const std::map<std::string_view, std::string_view> dtypes = {
    {"Tensor", "torch::kFloat32"},   {"FloatTensor", "torch::kFloat32"}, {"DoubleTensor", "torch::kFloat64"},
    {"LongTensor", "torch::kInt64"}, {"IntTensor", "torch::kInt32"},     {"ShortTensor", "torch::kInt16"},
    {"CharTensor", "torch::kInt8"},  {"ByteTensor", "torch::kUInt8"},    {"HalfTensor", "torch::kFloat16"},
    {"BoolTensor", "torch::kBool"}};

/// Returns a tuple of tensors, which are written out.
static Value tuple_of_tensors(const std::vector<cpp::Expr>& tensors, const Type& type) {
  auto tuple = value_of(Kind::tuple, {});
  tuple.literal = true;
  for (const auto& tensor : tensors) {
    tuple.elements.push_back(value_of(type, tensor));
    tuple.type.items.push_back(type);
  }
  tuple.expr = printable(tuple);
  return tuple;
}

/// `torch.tensor([])`, of tensors of one number, and of another tensor; nullopt for others.
static std::optional<Value> tensor_without_numbers(const Value& value, const cpp::Expr& chosen) {
  const bool empty =
      (value.is(Kind::list) || value.is(Kind::tuple)) && value.literal && value.elements.empty();
  if (empty) return empty_tensor(chosen);
  if (chosen) return std::nullopt;
  if (auto stacked = stacked_scalars(value)) return stacked;
  return value.is(Kind::tensor) ? std::optional(detached_copy(value)) : std::nullopt;
}

Value tensor_literal(Builder& b, const Arguments& arguments) {
  const auto [data, dtype, device, gradients] =
      match("torch.tensor", arguments,
            {{"data"},
             {"*dtype", {Kind::dtype, Kind::none}, true},
             {"*device", {Kind::device, Kind::string, Kind::none}, true},
             {"*requires_grad", {Kind::boolean}, true}});
  const bool detached = gradients == nullptr;
  const bool has_dtype = dtype != nullptr && dtype->is(Kind::dtype);
  const auto of_dtype = has_dtype ? numbers_of_dtype(dtype->expr) : Numbers::unknown;
  std::vector<std::string> taken;
  const auto chosen = options(arguments, taken);
  auto value = with_parts(*data);
  if (auto tensor = tensor_without_numbers(value, chosen)) return *tensor;
  value = with_any_numbers(value);
  const bool of_lists = holds_lists_of_ints(value);
  if (of_lists) value = typed(b, value, value.type);
  value.literal = value.literal && !of_lists;
  const auto item = value.literal ? Type{} : item_of_list(value.type);
  const auto made = [&](const char* function, cpp::Expr numbers_given, Numbers numbers) {
    auto tensor = tensor_of(made_with(function, std::move(numbers_given), chosen));
    tensor.type.know_numbers(has_dtype ? of_dtype : numbers);
    tensor.type.know_detached(detached);
    tensor.type.know_dimensions(depth(value));
    return tensor;
  };
  const auto inner = item_of_list(item);
  if (inner.is(Kind::integer) || inner.is(Kind::floating)) {
    auto tensor = made("torchbook::tensor", value.expr, numbers_of(inner));
    tensor.type.know_dimensions(2);
    return tensor;
  }
  const bool any = value.is(Kind::scalar) || item.is(Kind::scalar);
  if (any) return made("torchbook::tensor", as_any_number(value), Numbers::unknown);
  if (item.is_number()) return made("torch::tensor", value.expr, numbers_of(item));
  const auto numbers = make_alike(value);
  return made("torch::tensor", value.elements.empty() ? value.expr : braces_of(value), numbers);
}

/// Whether an expression is the name of a value that is or holds a tensor, which may have gradients.
static bool reads_tensors(Builder& b, const cpp::Expr& expr) {
  const auto holds = [](const Type& type) {
    return !type.is_number() && !type.is(Kind::string) && !type.is(Kind::size) && !type.is(Kind::dtype) &&
           !type.is(Kind::device);
  };
  for (const auto& word : cpp::mentioned_in(expr)) {
    for (const Frame* frame = b.frame; frame != nullptr; frame = frame->outer) {
      if (const auto* variable = frame->scope.with_code(word); variable != nullptr && holds(variable->type))
        return true;
    }
    if (b.frame->of_class == nullptr) continue;
    for (const auto& [name, type] : b.frame->of_class->members) {
      if (b.frame->of_class->codes.at(name) == word && holds(type)) return true;
    }
  }
  return false;
}

Value parameter(Builder& b, const Arguments& arguments) {
  const auto [data, wanted] =
      match("nn.Parameter", arguments, {{"data", {Kind::tensor}}, {"requires_grad", {}, true}});
  const bool trains = written_flag(wanted, "requires_grad of an nn.Parameter", true);
  auto value = *data;
  if (!data->temporary || reads_tensors(b, data->expr)) value = tensor_of(cpp::method(data->expr, "detach"));
  if (trains) value.expr = leaf_with_gradients(value.expr);
  value.type = parameter_type();
  return value;
}

/// `Variable(x, requires_grad=True)`: how a tensor got gradients in old releases of PyTorch.
static Value variable_of(Builder& /*b*/, const RowCall& given) {
  const auto [data, wanted] = given.as<2>();
  auto value = *data;
  value.expr = cpp::method(value.expr, "detach");
  if (wanted != nullptr && cpp::is_written(wanted->expr, true)) {
    value.expr = leaf_with_gradients(value.expr);
  } else if (wanted != nullptr && !cpp::is_written(wanted->expr, false)) {
    value.expr = leaf_with_gradients(value.expr, {wanted->expr});
  }
  value.type = Type(types::Tensor{.known = value.type.known()});
  value.temporary = true;
  return value;
}

Value set_default_dtype(Builder& b, const Node& call) {
  const auto given = call.args();
  if (given.size() != 1) refuse("the default dtype is set in a form that is not translated");
  auto type = b.path_of(given[0]).value_or("");
  if (given[0].is(Ast::Constant)) type = given[0].constant();
  const auto of_tensors = dtypes.find(std::string_view(type).substr(type.rfind('.') + 1));
  const auto dtype = of_tensors == dtypes.end() ? expression(b, given[0])
                                                : value_of(Kind::dtype, cpp::name(of_tensors->second));
  if (!dtype.is(Kind::dtype)) refuse("the default dtype is not a dtype");
  const auto meta = cpp::call("c10::scalarTypeToTypeMeta", {dtype.expr});
  return value_of(Kind::none,
                  cpp::call("c10::set_default_dtype", {meta}).with(cpp::writes(cpp::Place::world)));
}

/// `torch.FloatTensor([1, 2])` and `torch.Tensor(2, 3)`
static Value typed_tensor(Builder& b, const RowCall& given) {
  auto all = given.arguments;
  const auto& values = all.positional;
  const bool sizes = !values.empty() && std::all_of(values.begin(), values.end(),
                                                    [](const Value& each) { return each.is(Kind::integer); });
  const bool one = values.size() == 1 && (values[0].is(Kind::list) || values[0].is(Kind::tuple));
  const bool array = values.size() == 1 && values[0].is(Kind::array);
  if ((!sizes && !one && !array) || !all.named.empty()) given.refuse_form();
  all.named.emplace_back("dtype", value_of(Kind::dtype, cpp::name(dtypes.at(given.name))));
  if (array) return tensor_of_array(b, "from_numpy", all);  // which shares memory, as Python does
  return one ? tensor_literal(b, all) : call_torch(b, "empty", all, false);
}

Value tuple_of_list(Builder& b, std::string_view hint, const cpp::Expr& list, std::size_t count) {
  return b.named(tensor_of(list), hint, [&](const Value& tensors) {
    std::vector<cpp::Expr> elements;
    for (std::size_t i = 0; i < count; ++i) elements.push_back(cpp::subscript(tensors.expr, cpp::number(i)));
    return tuple_of_tensors(elements, Type(Kind::tensor));
  });
}

Value unique_of(Builder& b, const RowCall& given) {
  const auto [tensor, sorted, with_inverse, with_counts] = given.as<4>();
  const bool inverse = written_flag(with_inverse, "return_inverse");
  const bool counts = written_flag(with_counts, "return_counts");
  const bool sorts = written_flag(sorted, "sorted", true);
  const auto call = cpp::call("at::_unique2", {tensor->expr, cpp::labelled("sorted", cpp::boolean(sorts)),
                                               cpp::labelled("return_inverse", cpp::boolean(inverse)),
                                               cpp::labelled("return_counts", cpp::boolean(counts))});
  const Type type(types::Tensor{.known = {.numbers = tensor->type.numbers(), .dimensions = 1}});
  if (!inverse && !counts) return value_of(type, cpp::call("std::get<0>", {call}));
  return b.named(tensor_of(call), "unique", [&](const Value& results) {
    std::vector<cpp::Expr> tensors = {cpp::call("std::get<0>", {results.expr})};
    if (inverse) tensors.push_back(cpp::call("std::get<1>", {results.expr}));
    if (counts) tensors.push_back(cpp::call("std::get<2>", {results.expr}));
    auto tuple = tuple_of_tensors(tensors, Type(types::Tensor{.known = {.numbers = Numbers::integer}}));
    tuple.elements[0].type = tuple.type.items[0] = type;
    if (counts) {
      tuple.elements.back().type.know_dimensions(1);
      tuple.type.items.back().know_dimensions(1);
    }
    return tuple;
  });
}

/// `torch.meshgrid(a, b, indexing="ij")`
static Value meshgrid_of(Builder& b, const RowCall& given) {
  const auto& values = given.arguments.positional;
  const bool list = values.size() == 1 && values[0].literal;
  const auto& tensors = list ? values[0].elements : values;
  for (const auto& tensor : tensors) {
    if (!tensor.is(Kind::tensor)) given.refuse_form();
  }
  std::vector<cpp::Expr> parts = {list ? braces_of(values[0]) : in_braces(tensors)};
  for (const auto& [name, value] : given.arguments.named) {
    if (name != "indexing" || !value.is(Kind::string)) given.refuse_form();
    parts.push_back(value.expr);
  }
  return tuple_of_list(b, "grids", cpp::call("torch::meshgrid", std::move(parts)), tensors.size());
}

Value norm_of(Builder& /*b*/, const RowCall& given) {
  const auto [input, p, dim, keep] = given.as<4>();
  const bool frobenius = p == nullptr || p->is_text("fro");
  const bool one = dim != nullptr && dim->is(Kind::integer);
  const bool several = dim != nullptr && dim->literal && !dim->elements.empty() && dim->elements.size() <= 2;
  if ((dim != nullptr && !one && !several) || (!frobenius && !p->is(Kind::integer) && !p->is(Kind::floating)))
    given.refuse_form();
  std::vector<cpp::Expr> parts = {input->expr};
  std::vector<const Value*> order = {input};
  const auto add = [&](const cpp::Expr& part, const Value* argument) {
    parts.push_back(part);
    order.push_back(argument);
  };
  const bool whole = dim == nullptr && keep == nullptr;
  if (!frobenius || !whole) add(frobenius ? cpp::name("std::nullopt") : p->expr, p);
  if (!whole) add(one ? cpp::braces({dim->expr}) : several ? braces_of(*dim) : cpp::braces({}), dim);
  if (keep != nullptr) add(cpp::labelled("keepdim", keep->expr), keep);
  auto value =
      tensor_of(cpp::call("torchbook::nn::norm", std::move(parts)).in_order(given.arguments.order_of(order)));
  set_detached(value.type, "norm", given.arguments);
  return value;
}

/// `torch.tensor([1, 2])`, `torch.as_tensor(array)`, `torch.from_numpy(array)`
static Value tensor_from(Builder& b, const RowCall& given) {
  const auto kind =
      given.arguments.positional.empty() ? Kind::none : given.arguments.positional[0].type.kind();
  if (kind == Kind::array) return tensor_of_array(b, given.name, given.arguments);
  if (given.name == "tensor" || (given.name == "as_tensor" && kind == Kind::list))
    return tensor_literal(b, given.arguments);
  given.refuse_form();
}

static Value is_tensor(Builder& /*b*/, const RowCall& given) {
  const auto [value] = given.as<1>();
  return value_of(Kind::boolean, cpp::boolean(value->is(Kind::tensor)));
}

static const CallParameter seed_of_torch{"seed", {Kind::integer}};

static const std::vector<Row> functions_of_torch = {
    {"manual_seed random.manual_seed", {seed_of_torch}, cpp::form::manual_seed, Kind::generator},
    {"cuda.manual_seed", {seed_of_torch}, "torch::cuda::manual_seed"},
    {"cuda.manual_seed_all", {seed_of_torch}, "torch::cuda::manual_seed_all"},
    {"cuda.is_available", {}, "torch::cuda::is_available", Kind::boolean},
    {"cuda.device_count", {}, "torch::cuda::device_count", Kind::integer},
    {"cuda.empty_cache"},
    {"backends.mps.is_available", {}, "at::hasMPS", Kind::boolean},
    {"get_default_dtype", {}, "torch::get_default_dtype", Kind::dtype},
    {"is_grad_enabled", {}, "torch::GradMode::is_enabled", Kind::boolean},
    {"set_grad_enabled",
     {{"mode", {Kind::boolean}}},
     "torch::GradMode::set_enabled",
     Kind::none,
     cpp::writes(cpp::Place::memory)},
    {"Generator", {}, "at::make_generator<at::CPUGeneratorImpl>", Kind::random},
    {"device", {{"type", {Kind::string}}, {"index", {Kind::integer}, true}}, device_named},
    {"is_tensor", {{"obj"}}, is_tensor},
    {"set_printoptions",
     {{"precision", {Kind::integer}, true},
      {"threshold", {Kind::integer}, true},
      {"edgeitems", {Kind::integer}, true},
      {"linewidth", {Kind::integer}, true},
      {"*sci_mode", {Kind::boolean}, true}},
     print_options},
    {"tensor as_tensor from_numpy", {}, tensor_from},
    {"Tensor FloatTensor DoubleTensor LongTensor IntTensor ShortTensor CharTensor ByteTensor HalfTensor "
     "BoolTensor",
     {},
     typed_tensor},
    {"autograd.Variable", {{"data", {Kind::tensor}}, {"requires_grad", {Kind::boolean}, true}}, variable_of},
    {"unique",
     {{"input", {Kind::tensor}},
      {"sorted", {Kind::boolean}, true},
      {"return_inverse", {Kind::boolean}, true},
      {"return_counts", {Kind::boolean}, true}},
     unique_of},
    {"meshgrid", {}, meshgrid_of},
    {"norm", {{"input", {Kind::tensor}}, {"p", {}, true}, {"dim", {}, true}, {"keepdim", {}, true}}, norm_of},
    {"einsum", {}, einsum_of}};

std::optional<Value> call_by_hand(Builder& b, std::string_view name, const Arguments& arguments) {
  const auto& positional = arguments.positional;
  if (name.starts_with("cuda.") && name.find("memory_") != name.npos) {  // LibTorch without CUDA has none
    const auto counter = std::string(name.substr(name.find('.') + 1));
    return value_of(Kind::integer, cpp::labelled(counter, cpp::number(0)));
  }
  const bool range = name == "range" && positional.size() == 2 && arguments.named.empty();
  if (range && positional[0].type.is_number() &&
      positional[1].type.is_number()) {  // without a step, C++ has two
    return tensor_of(cpp::call(
        "torch::range", {positional[0].expr, positional[1].expr, cpp::labelled("step", cpp::number(1))}));
  }
  if (const auto* row = row_named(functions_of_torch, name))
    return call_row(b, *row, name, fmt::format("torch.{}", name), arguments);
  if (other_functions.contains(name)) refuse("torch.{} is not translated", name);
  return std::nullopt;
}

}  // namespace torchbook::translate
