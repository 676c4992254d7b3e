// Translates torch.nn.functional.
#include <fmt/format.h>
#include <torchbook/translate/lower/translator.h>

namespace torchbook::translate {
namespace {

/// Functions of torch.nn.functional that are operators of LibTorch.
const std::set<std::string_view> operators_of_f = {"softmax",
                                                   "log_softmax",
                                                   "relu",
                                                   "sigmoid",
                                                   "tanh",
                                                   "gelu",
                                                   "silu",
                                                   "mse_loss",
                                                   "l1_loss",
                                                   "one_hot",
                                                   "linear",
                                                   "layer_norm",
                                                   "cosine_similarity",
                                                   "pad",
                                                   "scaled_dot_product_attention",
                                                   "conv1d",
                                                   "conv2d",
                                                   "conv_transpose2d",
                                                   "max_pool1d",
                                                   "max_pool2d",
                                                   "avg_pool1d",
                                                   "avg_pool2d",
                                                   "adaptive_avg_pool1d",
                                                   "adaptive_avg_pool2d",
                                                   "nll_loss",
                                                   "smooth_l1_loss",
                                                   "huber_loss",
                                                   "binary_cross_entropy",
                                                   "binary_cross_entropy_with_logits",
                                                   "leaky_relu",
                                                   "elu",
                                                   "selu",
                                                   "softplus",
                                                   "mish",
                                                   "pairwise_distance"};

/// Those whose operators have other names.
const std::map<std::string_view, std::string_view> renamed_in_f = {{"cross_entropy", "cross_entropy_loss"},
                                                                   {"logsigmoid", "log_sigmoid"}};

/// Values of the argument `reduction` of a loss, and their names in LibTorch.
const std::map<std::string_view, std::string_view> reductions = {
    {"none", "at::Reduction::None"}, {"mean", "at::Reduction::Mean"}, {"sum", "at::Reduction::Sum"}};

/// `F.normalize(x, dim=1)`
Value normalized(const Arguments& arguments) {
  const auto* input = arguments.find("input", 0);
  const auto* p = arguments.find("p", 1);
  const auto* dim = arguments.find("dim", 2);
  if (input == nullptr || !input->is(Kind::tensor) || !arguments.are({input, p, dim}))
    throw NotPorted("F.normalize is called in a form that is not translated");
  std::vector<cpp::Expr> parts = {input->expr};
  if (p != nullptr || dim != nullptr) {
    auto options = cpp::call("torch::nn::functional::NormalizeFuncOptions", {});
    if (p != nullptr) options = cpp::method(options, "p", {p->expr}).with_only({});
    if (dim != nullptr) options = cpp::method(options, "dim", {dim->expr}).with_only({});
    parts.push_back(options);
  }
  auto value = tensor_of(cpp::call("torch::nn::functional::normalize", std::move(parts)));
  value.type.know_numbers(Numbers::floating);
  value.type.know_dimensions(input->type.dimensions());
  return value;
}

}  // namespace

Value Translator::call_functional(const std::string& name, const Arguments& arguments) {
  if (name == "dropout") return dropout(arguments);
  if (name == "normalize") return normalized(arguments);
  const auto renamed = renamed_in_f.find(name);
  if (renamed == renamed_in_f.end() && !operators_of_f.contains(name))
    throw NotPorted("F.{} is not translated", name);
  const auto operation = renamed == renamed_in_f.end() ? std::string_view(name) : renamed->second;
  auto given = arguments;
  for (auto& [argument, value] : given.named) {
    if (argument != "reduction" || !value.is_text(value.expr.text())) continue;
    const auto reduction = reductions.find(value.expr.text());
    if (reduction != reductions.end()) value = value_of(Kind::integer, cpp::name(reduction->second));
  }
  // Python's F takes one number for both sides.
  const bool both_sides = name.starts_with("adaptive") && name.ends_with("2d") &&
                          given.positional.size() == 2 && given.positional[1].is(Kind::integer);
  if (both_sides) {
    const auto call = [&](const Value& side) {
      auto sides = value_of(Kind::list, {});
      sides.elements = {side, side};
      sides.literal = true;
      return call_torch(operation, {.positional = {given.positional[0], sides}, .named = given.named}, false);
    };
    const auto& side = given.positional[1];
    return side.acts() ? named(side, "size", call) : call(side);
  }
  return call_torch(operation, given, false);
}

/// `F.dropout(x, p=0.5, training=True)`: the operator has other names and no defaults.
Value Translator::dropout(const Arguments& arguments) {
  const auto* input = arguments.find("input", 0);
  const auto* p = arguments.find("p", 1);
  const auto* training = arguments.find("training", 2);
  if (input == nullptr || !arguments.are({input, p, training}))
    throw NotPorted("F.dropout is called in another form");
  const auto half = value_of(Kind::floating, cpp::number("0.5"));
  const auto on = value_of(Kind::boolean, cpp::labelled("train", cpp::boolean(true)));
  auto value = call_torch(
      "dropout", {.positional = {*input, p == nullptr ? half : *p, training == nullptr ? on : *training}},
      false);
  value.expr = value.expr.in_order(arguments.order_of({input, p, training}));
  return value;
}

}  // namespace torchbook::translate
