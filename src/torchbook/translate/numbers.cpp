// Tells what numbers a tensor holds, where the Python tells it: `x.item()` is then an int or a float in C++.
#include <torchbook/translate/numbers.h>

#include <algorithm>
#include <map>
#include <set>

namespace torchbook::translate {
namespace {

using FunctionNames = std::set<std::string_view>;

/// Functions and methods by what their results hold.
const FunctionNames floats = {"mean",        "softmax",
                              "log_softmax", "exp",
                              "log",         "sqrt",
                              "rsqrt",       "sigmoid",
                              "tanh",        "rand",
                              "randn",       "std",
                              "var",         "logsumexp",
                              "linear",      "mse_loss",
                              "l1_loss",     "cross_entropy_loss",
                              "nll_loss",    "reciprocal",
                              "sin",         "cos",
                              "gelu",        "binary_cross_entropy",
                              "huber_loss",  "smooth_l1_loss",
                              "layer_norm",  "binary_cross_entropy_with_logits"};
const FunctionNames ints = {"argmax",   "argmin",   "argsort",     "randint",
                            "randperm", "bincount", "multinomial", "count_nonzero"};
const FunctionNames bools = {"eq",    "ne",    "lt",          "gt",         "le",         "ge",
                             "isnan", "isinf", "logical_and", "logical_or", "logical_not"};

/// Functions whose results hold what their first argument does, or the sum of that.
const FunctionNames keeping = {
    "max",   "min",       "abs",        "detach",      "clone",        "view",   "reshape", "squeeze",
    "clamp", "unsqueeze", "flatten",    "permute",     "relu",         "gather", "all",     "any",
    "t",     "transpose", "contiguous", "masked_fill", "index_select", "dropout"};
const FunctionNames sums = {"sum", "cumsum", "prod"};

const std::map<std::string_view, std::string_view> numbers_by_dtype = {
    {"torch::kFloat", "float"},   {"torch::kFloat32", "float"}, {"torch::kDouble", "float"},
    {"torch::kFloat64", "float"}, {"torch::kHalf", "float"},    {"torch::kLong", "int"},
    {"torch::kInt64", "int"},     {"torch::kInt", "int"},       {"torch::kInt32", "int"},
    {"torch::kBool", "bool"}};

}  // namespace

std::string numbers_of_dtype(std::string_view code) {
  const auto found = numbers_by_dtype.find(code);
  return found == numbers_by_dtype.end() ? "" : std::string(found->second);
}

std::string numbers_of_result(std::string_view function, const Arguments& arguments) {
  for (const auto& [name, value] : arguments.named) {
    if (name == "dtype") return numbers_of_dtype(value.code);
  }
  if (floats.contains(function)) return "float";
  if (ints.contains(function)) return "int";
  if (bools.contains(function)) return "bool";
  if (arguments.positional.empty()) return {};
  const auto& first = arguments.positional[0].type.holds;
  if (sums.contains(function)) return first == "bool" ? "int" : first;
  return keeping.contains(function) ? first : "";
}

}  // namespace torchbook::translate
