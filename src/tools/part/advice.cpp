// Advice on each known difference.
#include <tools/part/advice.h>
#include <tools/part/roles.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace torchbook::trace_diff {
namespace {

using OperationNames = std::set<std::string_view>;

/// Operations that one side runs in place of those of the other, and what to write instead.
struct Known {
  std::array<std::string_view, 3> one;  // all of them
  std::array<std::string_view, 3> other;
  const char* advice;
};

constexpr const char* loaders =
    "Python's DataLoader draws a seed, and shuffles with a generator of its own. "
    "Use torchbook::DataLoader in C++.";

constexpr std::array<Known, 8> known = {{
    {{"random_", "randperm"}, {"randperm"}, loaders},
    {{"linear"},
     {"matmul", "add_"},
     "torch::nn::Linear multiplies and then adds if its input has three dimensions; Python's adds within the "
     "product. "
     "Write torch::linear(x, layer->weight, layer->bias)."},
    {{"addmm"},
     {"matmul", "add_"},
     "addmm rounds once where matmul and add_ round twice. Write torch::linear(x, weight, bias), or "
     "torch::addmm, in both."},
    {{"softmax"},
     {"exp", "div"},
     "softmax multiplies by 1 / sum, and first subtracts the maximum. Write torch::softmax in both, or the "
     "single steps in both."},
    {{"scaled_dot_product_attention"},
     {"softmax"},
     "scaled_dot_product_attention computes its softmax in blocks. Write the single products in both, or "
     "this function in both."},
    {{"layer_norm"},
     {"mean", "var"},
     "layer_norm computes mean and variance in one pass. Write torch::layer_norm in both."},
    {{"mean"},
     {"sum", "div"},
     "mean multiplies or divides once, in its own order. Write torch::mean in both."},
    {{"lerp_"},
     {"mul_", "add_"},
     "Python's Adam and AdamW use lerp_ since PyTorch 2.1. Write torchbook::optim::Adam or AdamW."},
}};

OperationNames names_in(const ReadTrace& trace, const std::vector<std::uint32_t>& operations,
                        const Texts& texts) {
  OperationNames names;
  for (const auto operation : operations) names.insert(plain_name(texts[trace.operations[operation].name]));
  return names;
}

bool has_all(const OperationNames& names, const std::array<std::string_view, 3>& wanted) {
  return std::all_of(wanted.begin(), wanted.end(),
                     [&](auto name) { return name.empty() || names.contains(name); });
}

}  // namespace

std::string advice_on_inputs(bool are_parameters) {
  return are_parameters ? "Load the same weights in both programs before anything runs."
                        : "Give both programs the same data.";
}

std::string advice_on_changes() { return "Make the same change in both."; }

std::string advice_on_making() {
  return "C++ evaluates arguments in any order, so nn::Sequential(a, b) may make b first. Make each layer "
         "in a statement of its own, in Python's order.";
}

std::string advice_on_dtypes() {
  return "A float64 tensor makes the result float64. Write the same dtype in both.";
}

std::string advice_on_loaders() { return loaders; }

std::string advice_on_draws() {
  return "Draw the same random numbers in the same order in both, because each draw moves the generator on. "
         "C++ does not say which operand it evaluates first: give each draw a statement of its own.";
}

std::string advice_on_order() {
  return "Write the operands in the same order in both. C++ does not say which of them it evaluates first: "
         "give each a statement of its own, in Python's order.";
}

std::string advice_on_operations(const ReadTrace& here, const std::vector<std::uint32_t>& ours,
                                 const ReadTrace& there, const std::vector<std::uint32_t>& theirs,
                                 const Texts& texts) {
  const OperationNames a = names_in(here, ours, texts);
  const OperationNames b = names_in(there, theirs, texts);
  const auto found = std::find_if(known.begin(), known.end(), [&](const Known& one) {
    return (has_all(a, one.one) && has_all(b, one.other)) || (has_all(b, one.one) && has_all(a, one.other));
  });
  return found == known.end() ? "" : found->advice;
}

}  // namespace torchbook::trace_diff
