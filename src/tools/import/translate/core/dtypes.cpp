// Applies the rules of PyTorch's dtypes, to find whether x.item() is a bool, an int or a float.
#include <absl/strings/str_split.h>
#include <tools/import/translate/core/dtypes.h>

#include <algorithm>
#include <map>
#include <set>

namespace torchbook::translate {
namespace {

using Functions = std::set<std::string_view>;

/// Functions that return floats. A dtype argument overrules this table and those below.
const Names give_floats = absl::StrSplit(
    "acos asin atan binary_cross_entropy binary_cross_entropy_with_logits cdist cos cosh "
    "cosine_similarity cross_entropy_loss det dist empty erf exp expm1 eye frobenius_norm gelu "
    "inverse layer_norm linalg_cond linalg_det linalg_eigh linalg_eigvalsh linalg_inv linalg_norm "
    "linalg_pinv linalg_qr linalg_solve linalg_svd linalg_svdvals linalg_vector_norm linspace log "
    "log10 log1p log2 log_softmax logspace logsumexp mean mse_loss nll_loss norm normal ones quantile "
    "rand rand_like randn randn_like reciprocal rsqrt sigmoid sin sinh softmax softplus sqrt std tan "
    "tanh true_divide var zeros",
    ' ');
const Functions give_ints = {
    "argmax",      "argmin",  "argsort", "bincount", "bucketize", "count_nonzero", "linalg_matrix_rank",
    "multinomial", "nonzero", "one_hot", "randint",  "randperm",  "searchsorted"};
const Functions give_bools = {"eq",          "ge",         "gt",          "isclose", "isfinite",
                              "isin",        "isinf",      "isnan",       "le",      "logical_and",
                              "logical_not", "logical_or", "logical_xor", "lt",      "ne"};
/// Functions whose results have the kind of numbers of their first argument.
const Functions keep = {
    "abs",           "amax",      "amin",       "ceil",    "clone",        "contiguous", "detach",
    "diag",          "diagonal",  "empty_like", "expand",  "expand_as",    "flatten",    "flip",
    "floor",         "full_like", "gather",     "histc",   "index_select", "kthvalue",   "masked_fill",
    "masked_select", "max",       "median",     "min",     "mode",         "movedim",    "narrow",
    "neg",           "numpy_T",   "ones_like",  "permute", "relu",         "repeat",     "repeat_interleave",
    "reshape",       "roll",      "round",      "select",  "sign",         "sort",       "square",
    "squeeze",       "swapaxes",  "t",          "take",    "topk",         "trace",      "transpose",
    "tril",          "triu",      "unsqueeze",  "view",    "view_as",      "zeros_like"};
const Functions add_up = {"cumprod", "cumsum", "prod", "sum"};
/// Functions whose results have the common kind of numbers of their first two arguments.
const Functions promote = {"add",    "bmm",     "dot",       "floor_divide", "ger", "inner",
                           "matmul", "maximum", "minimum",   "mm",           "mul", "mv",
                           "outer",  "pow",     "remainder", "rsub",         "sub"};

/// Returns the kind of an operator's result, except for comparisons and division.
Numbers promoted(Numbers one, Numbers other) {
  if (one == Numbers::floating || other == Numbers::floating) return Numbers::floating;
  if (one == Numbers::unknown || other == Numbers::unknown) return Numbers::unknown;
  return std::max(one, other);
}

Numbers of_elements(const Value& list) {
  if (list.elements.empty()) return list.type.items.empty() ? Numbers::unknown : list.type.items[0].numbers();
  auto numbers = numbers_of(list.elements[0].type);
  for (const auto& each : list.elements) numbers = promoted(numbers, numbers_of(each.type));
  return numbers;
}

Numbers of_result(std::string_view function, const Arguments& arguments) {
  const auto& values = arguments.positional;
  const auto at = [&](std::size_t i) {
    return i < values.size() ? numbers_of(values[i].type) : Numbers::unknown;
  };
  if (give_floats.contains(function)) return Numbers::floating;
  if (give_ints.contains(function)) return Numbers::integer;
  if (give_bools.contains(function)) return Numbers::boolean;
  const bool of_two =
      (function == "max" || function == "min") && values.size() > 1 && values[1].is(Kind::tensor);
  if (of_two || promote.contains(function)) return promoted(at(0), at(1));
  if (keep.contains(function) || function.ends_with('_')) return at(0);
  if (function == "div" && arguments.named.empty()) return Numbers::floating;
  if (function == "cov" || function == "corrcoef")
    return at(0) == Numbers::floating ? at(0) : Numbers::unknown;
  if (add_up.contains(function)) return at(0) == Numbers::boolean ? Numbers::integer : at(0);
  const bool chooses = function == "where" && values.size() == 3 && at(0) == Numbers::boolean;
  if (chooses) return at(1) == at(2) && at(1) != Numbers::boolean ? at(1) : Numbers::unknown;
  if (function == "full") return at(1);
  if ((function == "cat" || function == "stack") && !values.empty()) return of_elements(values[0]);
  const bool bools = at(0) == Numbers::boolean || at(0) == Numbers::floating;  // an int may be a uint8
  if ((function == "all" || function == "any") && bools) return Numbers::boolean;
  if (function != "arange" || values.empty() || !arguments.named.empty()) return Numbers::unknown;
  auto numbers = at(0);
  for (const auto& value : values) numbers = promoted(numbers, numbers_of(value.type));
  return numbers;
}

/// Functions that remove one dimension if they get a dim, and all dimensions otherwise.
const Functions reduce = {"all",  "amax", "amin", "any", "argmax", "argmin", "logsumexp",
                          "mean", "prod", "std",  "sum", "var",    "norm"};

int dimensions_reduced(const Arguments& arguments) {
  const auto& tensor = arguments.positional[0].type;
  if (arguments.count() == 1) return 0;
  const auto* dim = arguments.find("dim", 1);
  const bool one = dim != nullptr && dim->is(Kind::integer) && arguments.positional.size() < 3;
  if (!one || tensor.dimensions() < 1) return -1;
  for (const auto& [name, value] : arguments.named) {
    if (name == "keepdim" || name == "keepdims")
      return value.expr.is(cpp::Kind::boolean, "true") ? tensor.dimensions() : -1;
    if (name != "dim" && name != "axis") return -1;
  }
  return tensor.dimensions() - 1;
}

/// Returns how many dimensions each tensor of a list or tuple has; -1 if that is not known. Functions that
/// join tensors take those with as many dimensions as others have, or vectors without elements.
int dimensions_of_elements(const Value& list) {
  if (list.elements.empty()) return list.type.items.empty() ? -1 : list.type.items[0].dimensions();
  const auto fewer = [](const Value& one, const Value& other) {
    return one.type.dimensions() < other.type.dimensions();
  };
  const auto most = std::max_element(list.elements.begin(), list.elements.end(), fewer)->type.dimensions();
  const bool known = std::all_of(list.elements.begin(), list.elements.end(),
                                 [&](const Value& each) { return each.type.dimensions() == most; });
  return known || most > 1 ? most : -1;
}

int dimensions_of_result(std::string_view function, const Arguments& arguments) {
  static const Functions of_each = {
      "abs",       "argsort",     "ceil",   "clone",      "contiguous", "cos",     "cumsum",  "detach",
      "exp",       "multinomial", "flip",   "floor",      "log",        "neg",     "numpy_T", "ones_like",
      "rand_like", "randn_like",  "relu",   "reciprocal", "round",      "sigmoid", "sign",    "sin",
      "softmax",   "sqrt",        "square", "t",          "tanh",       "tril",    "triu",    "zeros_like"};
  static const Functions vectors = {"arange",   "linspace", "logspace",
                                    "randperm", "bincount", "linalg_svdvals"};
  static const Functions numbers = {"det", "dist", "dot", "linalg_det", "trace"};
  static const Functions of_sizes = {"empty", "ones", "rand", "randn", "zeros"};
  const auto& values = arguments.positional;
  if (vectors.contains(function)) return 1;
  if (numbers.contains(function)) return 0;
  if (values.empty()) return -1;
  const auto& first = values[0];
  if (function == "quantile" && values.size() == 2 && arguments.named.empty())
    return numbers_of(values[1].type) == Numbers::floating && !values[1].is(Kind::tensor)
               ? 0
               : values[1].type.dimensions();
  if (function == "flatten" && values.size() == 1 && arguments.named.empty()) return 1;
  if (of_each.contains(function)) return first.type.dimensions();
  if (function == "eye") return 2;
  if (reduce.contains(function)) return dimensions_reduced(arguments);
  if (function == "unsqueeze") return first.type.dimensions() < 0 ? -1 : first.type.dimensions() + 1;
  if (function == "cat" || function == "stack") {
    const auto inner = dimensions_of_elements(first);
    return inner < 0 || function == "cat" ? inner : inner + 1;
  }
  if (function == "view" || function == "reshape") {
    const bool ints = std::all_of(values.begin() + 1, values.end(),
                                  [](const Value& each) { return each.is(Kind::integer); });
    return ints && values.size() > 1 ? static_cast<int>(values.size()) - 1 : -1;
  }
  if (function == "matmul" && values.size() == 2 && first.type.dimensions() == 2 &&
      values[1].type.dimensions() == 2)
    return 2;
  if (!of_sizes.contains(function)) return -1;
  if (!first.elements.empty()) return static_cast<int>(first.elements.size());
  return static_cast<int>(
      std::count_if(values.begin(), values.end(), [](const Value& each) { return each.is(Kind::integer); }));
}

}  // namespace

bool is_detached(const Type& type) {
  if (type.is(Kind::tensor)) return type.detached() || type.numbers() == Numbers::integer;
  if (type.is(Kind::list) || type.is(Kind::tuple))
    return std::all_of(type.items.begin(), type.items.end(), is_detached);
  return type.is_number() || type.is(Kind::string) || type.is(Kind::size) || type.is(Kind::dtype) ||
         type.is(Kind::none) || type.is(Kind::device) || type.is(Kind::random);
}

cpp::Expr dtype_of_torch(std::string_view name) {
  static const std::map<std::string_view, std::string_view> dtypes = {{"float", "torch::kFloat"},
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
                                                                      {"complex64", "torch::kComplexFloat"},
                                                                      {"cfloat", "torch::kComplexFloat"},
                                                                      {"complex128", "torch::kComplexDouble"},
                                                                      {"cdouble", "torch::kComplexDouble"}};
  const auto found = dtypes.find(name);
  return found == dtypes.end() ? cpp::Expr() : cpp::name(found->second);
}

cpp::Expr dtype_of_numpy(std::string_view name) {
  const bool known = name == "float32" || name == "float64" || name == "int32" || name == "int64";
  return known ? dtype_of_torch(name) : cpp::Expr();
}

Numbers numbers_of_dtype(const cpp::Expr& dtype) {
  const auto& name = dtype.text();
  const auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
  if (!dtype.is(cpp::Kind::name) || !name.starts_with("torch::k") || has("Complex")) return Numbers::unknown;
  if (has("Float") || has("Double") || has("Half")) return Numbers::floating;
  return has("Bool") ? Numbers::boolean : Numbers::integer;
}

Numbers numbers_of(const Type& type) {
  if (type.is(Kind::tensor)) return type.numbers();
  if (type.is(Kind::boolean)) return Numbers::boolean;
  if (type.is(Kind::integer)) return Numbers::integer;
  return type.is(Kind::floating) ? Numbers::floating : Numbers::unknown;
}

void set_numbers_of_operator(Type& result, Ast operation, const Type& left, const Type& right) {
  const auto dimensions = [](const Type& type) { return type.is(Kind::tensor) ? type.dimensions() : 0; };
  const auto one = dimensions(left);
  const auto other = dimensions(right);
  result.know_detached(is_detached(left) && is_detached(right));
  result.know_numbers(operation == Ast::Div ? Numbers::floating
                                            : promoted(numbers_of(left), numbers_of(right)));
  if (one >= 0 && other >= 0) result.know_dimensions(std::max(one, other));
  if (operation == Ast::MatMult) result.know_dimensions(one == 2 && other == 2 ? 2 : -1);
}

Type without_numbers(Type type) {
  type.know({});
  for (auto& item : type.items) item = without_numbers(std::move(item));
  return type;
}

Type with_common_numbers(Type one, const Type& other) {
  one.know({.numbers = one.numbers() == other.numbers() ? one.numbers() : Numbers::unknown,
            .dimensions = one.dimensions() == other.dimensions() ? one.dimensions() : -1,
            .detached = one.detached() && other.detached()});
  for (std::size_t i = 0; i < one.items.size(); ++i) {
    one.items[i] = with_common_numbers(std::move(one.items[i]), other.items[i]);
  }
  return one;
}

bool same_numbers(const Type& one, const Type& other) {
  return one.known() == other.known() &&
         std::equal(one.items.begin(), one.items.end(), other.items.begin(), same_numbers);
}

/// Whether no gradient flows through a value. The type of a tuple that is written out does not know that.
static bool holds_detached(const Value& value) {
  if (value.elements.empty()) return is_detached(value.type);
  return std::all_of(value.elements.begin(), value.elements.end(), holds_detached);
}

void set_numbers(Type& result, std::string_view function, const Arguments& arguments) {
  auto numbers = of_result(function, arguments);
  bool detached = function != "requires_grad_";
  const auto look = [&](const Value& value) {
    if (value.is(Kind::dtype)) numbers = numbers_of_dtype(value.expr);
    detached = detached && holds_detached(value);
  };
  for (const auto& value : arguments.positional) look(value);
  for (const auto& [name, value] : arguments.named) {
    look(value);
    detached = detached && name != "requires_grad";
  }
  detached = detached || function == "detach";
  if (result.is(Kind::tensor)) {
    result.know(
        {.numbers = numbers, .dimensions = dimensions_of_result(function, arguments), .detached = detached});
  }
  if (!result.is(Kind::tuple)) return;
  const bool of_matrix = !arguments.positional.empty() && arguments.positional[0].type.dimensions() == 2;
  if (function == "linalg_eigh" && of_matrix) result.items[0].know_dimensions(1);
  if (function == "linalg_svd" && of_matrix) {
    for (std::size_t i = 0; i < result.items.size(); ++i) result.items[i].know_dimensions(i == 1 ? 1 : 2);
  }
  if ((function == "sort" || function == "topk") && !arguments.positional.empty()) {
    for (auto& item : result.items) item.know_dimensions(arguments.positional[0].type.dimensions());
  }
  static const Functions with_places = {"kthvalue", "max", "median", "min", "mode"};
  const bool has_dim = arguments.count() > 1;  // of `x.mode()`, the last one
  if (with_places.contains(function) && !arguments.positional.empty() && has_dim) {
    for (auto& item : result.items) item.know_dimensions(dimensions_reduced(arguments));
  }
  const bool decomposes = function.starts_with("linalg_");
  for (std::size_t i = 0; i < result.items.size(); ++i) {
    const bool places = i == 1 && keep.contains(function);  // where they were
    result.items[i].know_detached(detached);
    result.items[i].know_numbers(places                 ? Numbers::integer
                                 : i == 0 || decomposes ? numbers
                                                        : Numbers::unknown);
  }
}

}  // namespace torchbook::translate
