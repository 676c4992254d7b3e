// Translates torch.nn.functional.
#include <fmt/format.h>
#include <torchbook/translate/translator.h>

namespace torchbook::translate {
namespace {

/// Functions of torch.nn.functional that are operators: what they are called there, and where the arguments
/// come from.
const std::map<std::string_view, std::string_view> functional = {
    {"softmax", "softmax"},
    {"log_softmax", "log_softmax"},
    {"relu", "relu"},
    {"sigmoid", "sigmoid"},
    {"tanh", "tanh"},
    {"gelu", "gelu"},
    {"silu", "silu"},
    {"mse_loss", "mse_loss"},
    {"l1_loss", "l1_loss"},
    {"cross_entropy", "cross_entropy_loss"},
    {"one_hot", "one_hot"},
    {"linear", "linear"},
    {"layer_norm", "layer_norm"},
    {"cosine_similarity", "cosine_similarity"},
    {"pad", "pad"},
    {"scaled_dot_product_attention", "scaled_dot_product_attention"},
    {"logsigmoid", "log_sigmoid"},
    {"conv1d", "conv1d"},
    {"conv2d", "conv2d"},
    {"conv_transpose2d", "conv_transpose2d"},
    {"max_pool1d", "max_pool1d"},
    {"max_pool2d", "max_pool2d"},
    {"avg_pool1d", "avg_pool1d"},
    {"avg_pool2d", "avg_pool2d"},
    {"adaptive_avg_pool1d", "adaptive_avg_pool1d"},
    {"adaptive_avg_pool2d", "adaptive_avg_pool2d"},
    {"nll_loss", "nll_loss"},
    {"smooth_l1_loss", "smooth_l1_loss"},
    {"huber_loss", "huber_loss"},
    {"binary_cross_entropy", "binary_cross_entropy"},
    {"binary_cross_entropy_with_logits", "binary_cross_entropy_with_logits"},
    {"leaky_relu", "leaky_relu"},
    {"elu", "elu"},
    {"selu", "selu"},
    {"softplus", "softplus"},
    {"mish", "mish"},
    {"pairwise_distance", "pairwise_distance"}};

/// What the argument `reduction` of a loss is in LibTorch.
const std::map<std::string_view, std::string_view> reductions = {{"\"none\"", "at::Reduction::None"},
                                                                 {"\"mean\"", "at::Reduction::Mean"},
                                                                 {"\"sum\"", "at::Reduction::Sum"}};

/// `F.normalize(x, dim=1)`
Value normalized(const Arguments& arguments) {
  const auto* input = arguments.find("input", 0);
  const auto* p = arguments.find("p", 1);
  const auto* dim = arguments.find("dim", 2);
  const std::size_t known =
      std::size_t{input != nullptr} + std::size_t{p != nullptr} + std::size_t{dim != nullptr};
  if (input == nullptr || !input->is(Kind::tensor) ||
      known != arguments.positional.size() + arguments.named.size())
    throw NotPorted("F.normalize is called in a form that is not translated");
  std::string options;
  if (p != nullptr) options += fmt::format(".p({})", p->code);
  if (dim != nullptr) options += fmt::format(".dim({})", dim->code);
  if (!options.empty()) options = ", torch::nn::functional::NormalizeFuncOptions()" + options;
  auto value = tensor_of(fmt::format("torch::nn::functional::normalize({}{})", input->code, options));
  value.type.numbers = Numbers::floating;
  value.type.dimensions = input->type.dimensions;
  return value;
}

}  // namespace

Value Translator::call_functional(const std::string& name, const Arguments& arguments) {
  if (name == "dropout") return dropout(arguments);
  if (name == "normalize") return normalized(arguments);
  const auto found = functional.find(name);
  if (found == functional.end()) throw NotPorted(fmt::format("F.{} is not translated", name));
  auto given = arguments;
  for (auto& [argument, value] : given.named) {
    const auto reduction = reductions.find(value.code);
    if (argument == "reduction" && reduction != reductions.end())
      value = value_of(Kind::integer, std::string(reduction->second));
  }
  // Python's F takes one number for both sides.
  const bool both_sides = name.starts_with("adaptive") && name.ends_with("2d") &&
                          given.positional.size() == 2 && given.positional[1].is(Kind::integer);
  if (both_sides) {
    auto sides = value_of(Kind::list, "");
    sides.elements = {given.positional[1], given.positional[1]};
    sides.literal = true;
    given.positional[1] = sides;
  }
  return call_torch(found->second, given, false);
}

/// `F.dropout(x, p=0.5, training=True)`: the operator has other names and no defaults.
Value Translator::dropout(const Arguments& arguments) {
  const auto* input = arguments.find("input", 0);
  const auto* p = arguments.find("p", 1);
  const auto* training = arguments.find("training", 2);
  const std::size_t used = 1u + (p != nullptr ? 1u : 0u) + (training != nullptr ? 1u : 0u);
  if (input == nullptr || used != arguments.positional.size() + arguments.named.size())
    throw NotPorted("F.dropout is called in another form");
  const auto half = value_of(Kind::floating, "0.5");
  auto on = value_of(Kind::boolean, "/*train=*/true");
  return call_torch("dropout",
                    {.positional = {*input, p == nullptr ? half : *p, training == nullptr ? on : *training}},
                    false);
}

}  // namespace torchbook::translate
