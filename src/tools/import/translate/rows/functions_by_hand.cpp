// Translates the functions and methods of PyTorch that LibTorch spells in another way.
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

#include <algorithm>
#include <cstddef>
#include <set>

namespace torchbook::translate {
namespace {

/// A function of torch that has another name in C++, LibTorch's or one of torchbook, and takes the same
/// arguments, by position.
struct Renamed {
  std::string_view name;  ///< in Python, without `torch.`
  std::string_view code;
  Kind result = Kind::tensor;
  std::vector<Kind> arguments{};
  bool draws = false;  ///< it draws random numbers, so cells that call it in Python do, too
};

const std::vector<Renamed> renamed = {
    {"cuda.is_available", "torch::cuda::is_available", Kind::boolean},
    {"cuda.device_count", "torch::cuda::device_count", Kind::integer},
    {"backends.mps.is_available", "at::hasMPS", Kind::boolean},
    {"get_default_dtype", "torch::get_default_dtype", Kind::dtype},
    {"is_grad_enabled", "torch::GradMode::is_enabled", Kind::boolean},
    {"device", "torch::Device", Kind::device, {Kind::string}},
};

/// `torch.device("cuda", 0)` and `torch.device(0)`, whose arguments are written out; nullopt if it is another
/// function.
std::optional<Value> numbered_device(std::string_view name, const Arguments& arguments) {
  const auto& given = arguments.positional;
  if (name != "device" || given.empty() || given.size() > 2 || !arguments.named.empty()) return std::nullopt;
  const auto& number = given.back();
  if (!number.is(Kind::integer) || number.number.empty()) return std::nullopt;
  if (given.size() == 2 && (!given[0].is(Kind::string) || !given[0].literal)) return std::nullopt;
  const auto type = given.size() == 1 ? std::string("cuda") : given[0].expr.text();
  return value_of(Kind::device, cpp::call(cpp::form::device, {cpp::string(type + ":" + number.number)}));
}

/// Calls a function of the table; nullopt if it has none of this name that takes such arguments.
std::optional<Value> call_renamed(std::string_view name, const Arguments& arguments) {
  const auto& given = arguments.positional;
  const auto found = std::find_if(renamed.begin(), renamed.end(), [&](const Renamed& each) {
    return each.name == name &&
           std::equal(given.begin(), given.end(), each.arguments.begin(), each.arguments.end(),
                      [](const Value& value, Kind kind) { return value.is(kind); });
  });
  if (found == renamed.end() || !arguments.named.empty()) return std::nullopt;
  auto call = cpp::call(found->code, expressions_of(given));
  const bool reads =
      std::any_of(given.begin(), given.end(), [](const Value& value) { return value.is(Kind::tensor); });
  if (reads) call = call.with(cpp::reads(cpp::Place::memory));
  return value_of(found->result, found->draws ? call.with(cpp::draws()) : call);
}

/// Functions of Python that do more than those of the same name in LibTorch.
const std::set<std::string_view> other_functions = {
    "unique_consecutive", "tensordot", "stft", "istft", "load", "save", "from_numpy", "set_printoptions"};

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

/// Returns literal lists in which tuples with names are replaced by their parts.
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

/// Returns the type of a list's items; that of None if it is no list, or empty.
Type item_of_list(const Type& list) {
  return list.is(Kind::list) && !list.items.empty() ? list.items[0] : Type{};
}

/// Returns the kind of a dtype among the arguments, or else `numbers`.
Numbers numbers_of_made(const Arguments& arguments, Numbers numbers) {
  for (const auto& [name, given] : arguments.named) {
    if (given.is(Kind::dtype)) return numbers_of_dtype(given.expr);
  }
  return numbers;
}

/// Whether the items of a literal list are lists of ints that are no literals.
bool holds_lists_of_ints(const Value& value) {
  return value.is(Kind::list) && value.literal &&
         std::all_of(value.elements.begin(), value.elements.end(), [](const Value& element) {
           return element.is(Kind::list) && !element.literal && element.type == list_of(Type(Kind::integer));
         });
}

/// Gives the numbers of a list of lists one type. Returns their kind.
Numbers make_alike(Value& value) {
  std::set<Kind> kinds;
  if (!add_kinds(value, kinds)) refuse("torch.tensor takes something else than numbers");
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
Value einsum_of(const std::vector<Value>& given) {
  const bool list = given.size() == 2 && !given[1].elements.empty();
  const auto tensors = list ? given[1].elements : std::vector<Value>(given.begin() + 1, given.end());
  for (const auto& tensor : tensors) {
    if (!tensor.is(Kind::tensor)) refuse("torch.einsum is called in another form");
  }
  return tensor_of(
      cpp::call("torch::einsum", {given[0].expr, list ? braces_of(given[1]) : in_braces(tensors)}));
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

Value tensor_literal(Builder& b, const Arguments& arguments) {
  const auto* data = arguments.find("data", 0);
  if (data == nullptr || arguments.positional.size() > 1) refuse("torch.tensor is called in another form");
  std::vector<std::string> taken;
  if (arguments.positional.empty()) taken.emplace_back("data");
  const auto chosen = options(arguments, taken);
  if (taken.size() != arguments.named.size()) refuse("torch.tensor has an argument that is not translated");
  auto value = with_parts(*data);
  const bool empty =
      (value.is(Kind::list) || value.is(Kind::tuple)) && value.literal && value.elements.empty();
  if (empty) return empty_tensor(chosen);
  if (auto stacked = stacked_scalars(value); stacked && !chosen) return *stacked;
  if (value.is(Kind::tensor) && !chosen) return detached_copy(value);
  value = with_any_numbers(value);
  const bool of_lists = holds_lists_of_ints(value);
  if (of_lists) value = typed(b, value, value.type);
  value.literal = value.literal && !of_lists;
  const auto item = value.literal ? Type{} : item_of_list(value.type);
  const auto made = [&](const char* function, cpp::Expr numbers_given, Numbers numbers) {
    auto tensor = tensor_of(made_with(function, std::move(numbers_given), chosen));
    tensor.type.know_numbers(numbers_of_made(arguments, numbers));
    tensor.type.know_detached(arguments.find("requires_grad", arguments.positional.size()) == nullptr);
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

/// Whether an expression has the name of something that is or holds a tensor, which may have gradients.
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
  const bool trains = wanted == nullptr || cpp::is_written(wanted->expr, true);
  if (!trains && !cpp::is_written(wanted->expr, false))
    refuse("requires_grad of an nn.Parameter is neither True nor False");
  auto value = *data;
  if (!data->temporary || reads_tensors(b, data->expr)) value = tensor_of(cpp::method(data->expr, "detach"));
  if (trains) value.expr = leaf_with_gradients(value.expr);
  value.type = parameter_type();
  return value;
}

Value variable_of(const Arguments& arguments) {
  const auto [data, wanted] =
      match("Variable", arguments, {{"data", {Kind::tensor}}, {"requires_grad", {Kind::boolean}, true}});
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
  if (!dtype.is(Kind::dtype)) refuse("the default dtype is no dtype");
  const auto meta = cpp::call("c10::scalarTypeToTypeMeta", {dtype.expr});
  return value_of(Kind::none,
                  cpp::call("c10::set_default_dtype", {meta}).with(cpp::writes(cpp::Place::world)));
}

std::optional<Value> call_typed_tensor(Builder& b, std::string_view name, const Arguments& arguments) {
  const auto found = dtypes.find(name);
  if (found == dtypes.end()) return std::nullopt;
  auto given = arguments;
  const auto& values = given.positional;
  const bool sizes = !values.empty() && std::all_of(values.begin(), values.end(),
                                                    [](const Value& each) { return each.is(Kind::integer); });
  const bool one = values.size() == 1 && (values[0].is(Kind::list) || values[0].is(Kind::tuple));
  const bool array = values.size() == 1 && values[0].is(Kind::array);
  if ((!sizes && !one && !array) || !given.named.empty())
    refuse("torch.{} is called in a form that is not translated", name);
  given.named.emplace_back("dtype", value_of(Kind::dtype, cpp::name(found->second)));
  if (array) return tensor_of_array(b, "from_numpy", given);  // which shares memory, as Python does
  return one ? tensor_literal(b, given) : call_torch(b, "empty", given, false);
}

Value tuple_of_list(Builder& b, std::string_view wish, const cpp::Expr& list, std::size_t count) {
  return b.named(tensor_of(list), wish, [&](const Value& tensors) {
    std::vector<cpp::Expr> elements;
    for (std::size_t i = 0; i < count; ++i) elements.push_back(cpp::subscript(tensors.expr, cpp::number(i)));
    return tuple_of_tensors(elements, Type(Kind::tensor));
  });
}

Value unique_of(Builder& b, const Arguments& arguments) {
  std::map<std::string_view, bool> given = {
      {"sorted", true}, {"return_inverse", false}, {"return_counts", false}};
  for (const auto& [name, value] : arguments.named) {
    const auto found = given.find(name);
    if (found == given.end() || !value.literal || !value.is(Kind::boolean))
      refuse("unique is called in a form that is not translated");
    found->second = cpp::is_written(value.expr, true);
  }
  if (arguments.positional.size() != 1) refuse("unique is called in a form that is not translated");
  const auto& tensor = arguments.positional[0];
  std::vector<cpp::Expr> parts = {tensor.expr};
  for (const auto* name : {"sorted", "return_inverse", "return_counts"})
    parts.push_back(cpp::labelled(name, cpp::boolean(given.at(name))));
  const auto call = cpp::call("at::_unique2", std::move(parts));
  const bool inverse = given.at("return_inverse");
  const bool counts = given.at("return_counts");
  const Type type(types::Tensor{.known = {.numbers = tensor.type.numbers(), .dimensions = 1}});
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

Value meshgrid_of(Builder& b, const Arguments& arguments) {
  const bool list = arguments.positional.size() == 1 && arguments.positional[0].literal;
  const auto& tensors = list ? arguments.positional[0].elements : arguments.positional;
  for (const auto& tensor : tensors) {
    if (!tensor.is(Kind::tensor)) refuse("torch.meshgrid is called in a form that is not translated");
  }
  std::vector<cpp::Expr> parts = {list ? braces_of(arguments.positional[0]) : in_braces(tensors)};
  for (const auto& [name, value] : arguments.named) {
    if (name != "indexing" || !value.is(Kind::string))
      refuse("torch.meshgrid is called in a form that is not translated");
    parts.push_back(value.expr);
  }
  return tuple_of_list(b, "grids", cpp::call("torch::meshgrid", std::move(parts)), tensors.size());
}

std::optional<Value> call_special(Builder& b, std::string_view name, const Arguments& arguments) {
  const auto& positional = arguments.positional;
  if (name == "manual_seed" || name == "random.manual_seed") {
    const auto [seed] = match("torch.manual_seed", arguments, {{"seed", {Kind::integer}}});
    return value_of(Kind::generator, cpp::call(cpp::form::manual_seed, {seed->expr}));
  }
  if (name == "set_printoptions") return print_options(b, arguments);
  if (auto value = call_renamed(name, arguments)) return *value;
  if (auto value = numbered_device(name, arguments)) return *value;
  if (name.starts_with("cuda.") && name.find("memory_") != name.npos) {  // LibTorch without CUDA has none
    const auto counter = std::string(name.substr(name.find('.') + 1));
    return value_of(Kind::integer, cpp::labelled(counter, cpp::number(0)));
  }
  if (name == "cuda.empty_cache") return nothing();
  if (name == "Generator" && positional.empty()) {
    return value_of(Kind::random, cpp::call("at::make_generator<at::CPUGeneratorImpl>", {}));
  }
  if (name == "einsum" && positional.size() > 1 && positional[0].is(Kind::string))
    return einsum_of(positional);
  const bool range = name == "range" && positional.size() == 2 && arguments.named.empty();
  if (range && positional[0].type.is_number() &&
      positional[1].type.is_number()) {  // without a step, C++ has two
    return tensor_of(cpp::call(
        "torch::range", {positional[0].expr, positional[1].expr, cpp::labelled("step", cpp::number(1))}));
  }
  if (auto value = call_carrier(b, name, arguments)) return *value;
  if (name == "is_tensor" && positional.size() == 1) {
    return value_of(Kind::boolean, cpp::boolean(positional[0].is(Kind::tensor)));
  }
  if (other_functions.contains(name)) refuse("torch.{} is not translated", name);
  return std::nullopt;
}

}  // namespace torchbook::translate
