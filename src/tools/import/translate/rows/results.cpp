#include <absl/strings/str_split.h>
#include <tools/import/translate/core/dtypes.h>
#include <tools/import/translate/rows/results.h>
#include <tools/import/translate/syntax/names.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace torchbook::translate {
namespace {

/// Kinds of the numbers of a result. A dtype among the arguments overrules them.
namespace numbers {

Numbers numbers_at(const Arguments& arguments, std::size_t i) {
  const auto& values = arguments.positional;
  return i < values.size() ? numbers_of(values[i].type) : Numbers::unknown;
}

Numbers any(const Arguments& /*arguments*/) { return Numbers::unknown; }
Numbers floats(const Arguments& /*arguments*/) { return Numbers::floating; }
Numbers ints(const Arguments& /*arguments*/) { return Numbers::integer; }
Numbers bools(const Arguments& /*arguments*/) { return Numbers::boolean; }
Numbers first(const Arguments& arguments) { return numbers_at(arguments, 0); }
Numbers second(const Arguments& arguments) { return numbers_at(arguments, 1); }
Numbers common(const Arguments& arguments) { return promoted(first(arguments), second(arguments)); }

/// `x.max()`, `torch.max(x, y)`
Numbers extreme(const Arguments& arguments) {
  const auto& values = arguments.positional;
  return values.size() > 1 && values[1].is(Kind::tensor) ? common(arguments) : first(arguments);
}

Numbers added_up(const Arguments& arguments) {
  const auto numbers = first(arguments);
  return numbers == Numbers::boolean ? Numbers::integer : numbers;
}

/// `torch.div(x, y)` without a rounding mode
Numbers quotient(const Arguments& arguments) {
  return arguments.named.empty() ? Numbers::floating : Numbers::unknown;
}

Numbers if_floats(const Arguments& arguments) {
  return first(arguments) == Numbers::floating ? Numbers::floating : Numbers::unknown;
}

/// `torch.where(test, x, y)`
Numbers chosen(const Arguments& arguments) {
  const auto yes = second(arguments);
  const bool alike = arguments.positional.size() == 3 && first(arguments) == Numbers::boolean &&
                     yes == numbers_at(arguments, 2);
  return alike && yes != Numbers::boolean ? yes : Numbers::unknown;
}

/// `torch.cat([x, y])`
Numbers of_list(const Arguments& arguments) {
  if (arguments.positional.empty()) return Numbers::unknown;
  const auto& list = arguments.positional[0];
  if (list.elements.empty()) return list.type.items.empty() ? Numbers::unknown : list.type.items[0].numbers();
  auto numbers = numbers_of(list.elements[0].type);
  for (const auto& each : list.elements) numbers = promoted(numbers, numbers_of(each.type));
  return numbers;
}

/// `x.all()`: an int may be a uint8, whose result is a uint8
Numbers truths(const Arguments& arguments) {
  const auto numbers = first(arguments);
  return numbers == Numbers::boolean || numbers == Numbers::floating ? Numbers::boolean : Numbers::unknown;
}

/// `torch.arange(0, 1, 0.5)`
Numbers bounds(const Arguments& arguments) {
  if (!arguments.named.empty()) return Numbers::unknown;
  auto numbers = first(arguments);
  for (const auto& value : arguments.positional) numbers = promoted(numbers, numbers_of(value.type));
  return numbers;
}

}  // namespace numbers

/// Dimensions of a result; -1 if they are not known.
namespace dims {

int some(const Arguments& /*arguments*/) { return -1; }
int none(const Arguments& /*arguments*/) { return 0; }
int one(const Arguments& /*arguments*/) { return 1; }
int two(const Arguments& /*arguments*/) { return 2; }
int same(const Arguments& arguments) {
  return arguments.positional.empty() ? -1 : arguments.positional[0].type.dimensions();
}

/// Reductions remove one dimension if they get a dim, and all dimensions otherwise.
int reduced(const Arguments& arguments) {
  const int dimensions = same(arguments);
  if (arguments.positional.empty()) return -1;
  if (arguments.count() == 1) return 0;
  const auto* dim = arguments.find("dim", 1);
  const bool one_dim = dim != nullptr && dim->is(Kind::integer) && arguments.positional.size() < 3;
  if (!one_dim || dimensions < 1) return -1;
  for (const auto& [name, value] : arguments.named) {
    if (name == "keepdim" || name == "keepdims") return cpp::is_written(value.expr, true) ? dimensions : -1;
    if (name != "dim" && name != "axis") return -1;
  }
  return dimensions - 1;
}

/// Returns how many dimensions each tensor of a list or tuple has; -1 if that is not known. Joined tensors
/// have as many dimensions as each other, or are empty vectors.
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

int joined(const Arguments& arguments) {
  return arguments.positional.empty() ? -1 : dimensions_of_elements(arguments.positional[0]);
}

int one_more(int dimensions) { return dimensions < 0 ? -1 : dimensions + 1; }
int stacked(const Arguments& arguments) { return one_more(joined(arguments)); }
int unsqueezed(const Arguments& arguments) { return one_more(same(arguments)); }

int flat(const Arguments& arguments) { return arguments.count() == 1 ? 1 : -1; }

/// `torch.quantile(x, 0.5)`
int quantiles(const Arguments& arguments) {
  const auto& values = arguments.positional;
  if (values.size() != 2 || !arguments.named.empty()) return -1;
  const bool number = numbers_of(values[1].type) == Numbers::floating && !values[1].is(Kind::tensor);
  return number ? 0 : values[1].type.dimensions();
}

/// `x.view(2, 3)`
int shaped(const Arguments& arguments) {
  const auto& values = arguments.positional;
  const bool ints_follow =
      values.size() > 1 &&
      std::all_of(values.begin() + 1, values.end(), [](const Value& each) { return each.is(Kind::integer); });
  return ints_follow ? static_cast<int>(values.size()) - 1 : -1;
}

/// `torch.zeros(2, 3)`, `torch.zeros((2, 3))`
int sized(const Arguments& arguments) {
  const auto& values = arguments.positional;
  if (values.empty()) return -1;
  if (!values[0].elements.empty()) return static_cast<int>(values[0].elements.size());
  return static_cast<int>(
      std::count_if(values.begin(), values.end(), [](const Value& each) { return each.is(Kind::integer); }));
}

/// `torch.matmul(x, y)` of matrices
int product(const Arguments& arguments) {
  const auto& values = arguments.positional;
  const bool matrices =
      values.size() == 2 && values[0].type.dimensions() == 2 && values[1].type.dimensions() == 2;
  return matrices ? 2 : -1;
}

}  // namespace dims

/// Known properties of the results of some functions.
struct KnownResult {
  Numbers (*numbers)(const Arguments& arguments) = numbers::any;
  int (*dimensions)(const Arguments& arguments) = dims::some;
  const char* functions = "";  ///< their names, with a space between
};

const std::vector<KnownResult> known_results = {
    {numbers::added_up, dims::some, "cumprod"},
    {numbers::added_up, dims::same, "cumsum"},
    {numbers::added_up, dims::reduced, "prod sum"},
    {numbers::bools, dims::some,
     "eq ge gt isclose isfinite isin isinf isnan le logical_and logical_not logical_or logical_xor lt ne"},
    {numbers::bounds, dims::one, "arange"},
    {numbers::chosen, dims::some, "where"},
    {numbers::common, dims::none, "dot"},
    {numbers::common, dims::product, "matmul"},
    {numbers::common, dims::some,
     "add bmm floor_divide ger inner maximum minimum mm mul mv outer pow remainder rsub sub"},
    {numbers::extreme, dims::some, "max min"},
    {numbers::first, dims::flat, "flatten"},
    {numbers::first, dims::none, "trace"},
    {numbers::first, dims::reduced, "amax amin"},
    {numbers::first, dims::same,
     "abs ceil clone contiguous detach flip floor neg numpy_T ones_like relu round sign square t tril triu "
     "zeros_like"},
    {numbers::first, dims::shaped, "reshape view"},
    {numbers::first, dims::some,
     "diag diagonal empty_like expand expand_as full_like gather histc index_select kthvalue masked_fill "
     "masked_select median mode movedim narrow permute repeat repeat_interleave roll select sort squeeze "
     "swapaxes take topk transpose view_as"},
    {numbers::first, dims::unsqueezed, "unsqueeze"},
    {numbers::floats, dims::none, "det dist linalg_det"},
    {numbers::floats, dims::one, "linalg_svdvals linspace logspace"},
    {numbers::floats, dims::quantiles, "quantile"},
    {numbers::floats, dims::reduced, "logsumexp mean norm std var"},
    {numbers::floats, dims::same,
     "cos exp log rand_like randn_like reciprocal sigmoid sin softmax sqrt tanh"},
    {numbers::floats, dims::sized, "empty ones rand randn zeros"},
    {numbers::floats, dims::some,
     "acos asin atan binary_cross_entropy binary_cross_entropy_with_logits cdist cosh cosine_similarity "
     "cross_entropy_loss erf expm1 frobenius_norm gelu inverse layer_norm linalg_cond linalg_eigh "
     "linalg_eigvalsh linalg_inv linalg_norm linalg_pinv linalg_qr linalg_solve linalg_svd "
     "linalg_vector_norm log10 log1p log2 log_softmax mse_loss nll_loss normal rsqrt sinh softplus tan "
     "true_divide"},
    {numbers::floats, dims::two, "eye"},
    {numbers::if_floats, dims::some, "corrcoef cov"},
    {numbers::ints, dims::one, "bincount randperm"},
    {numbers::ints, dims::reduced, "argmax argmin"},
    {numbers::ints, dims::same, "argsort multinomial"},
    {numbers::ints, dims::some,
     "bucketize count_nonzero linalg_matrix_rank nonzero one_hot randint searchsorted"},
    {numbers::of_list, dims::joined, "cat"},
    {numbers::of_list, dims::stacked, "stack"},
    {numbers::quotient, dims::some, "div"},
    {numbers::second, dims::some, "full"},
    {numbers::truths, dims::reduced, "all any"}};

/// Returns the row of a function. Functions that change their first argument return it.
KnownResult result_of(std::string_view function) {
  static const auto all = [] {
    std::map<std::string, KnownResult, std::less<>> by_name;
    for (const auto& row : known_results) {
      const Names names = absl::StrSplit(row.functions, ' ');
      for (const auto& name : names) by_name[name] = row;
    }
    return by_name;
  }();
  const auto found = all.find(function);
  if (found != all.end()) return found->second;
  return {.numbers = function.ends_with('_') ? numbers::first : numbers::any};
}

/// Whether no gradient flows through a value. The type of a tuple that is written out does not know that.
bool holds_detached(const Value& value) {
  if (value.elements.empty()) return is_detached(value.type);
  return std::all_of(value.elements.begin(), value.elements.end(), holds_detached);
}

}  // namespace

void set_numbers(Type& result, std::string_view function, const Arguments& arguments) {
  const auto known = result_of(function);
  auto numbers = known.numbers(arguments);
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
    result.know({.numbers = numbers, .dimensions = known.dimensions(arguments), .detached = detached});
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
  static const std::set<std::string_view> with_places = {"kthvalue", "max", "median", "min", "mode"};
  const bool has_dim = arguments.count() > 1;  // `x.mode()` reduces the last one
  if (with_places.contains(function) && !arguments.positional.empty() && has_dim) {
    for (auto& item : result.items) item.know_dimensions(dims::reduced(arguments));
  }
  const bool decomposes = function.starts_with("linalg_");
  const bool chooses = known.numbers == numbers::first || known.numbers == numbers::extreme;
  for (std::size_t i = 0; i < result.items.size(); ++i) {
    const bool places = i == 1 && chooses;  // the indices
    result.items[i].know_detached(detached);
    result.items[i].know_numbers(places                 ? Numbers::integer
                                 : i == 0 || decomposes ? numbers
                                                        : Numbers::unknown);
  }
}

}  // namespace torchbook::translate
