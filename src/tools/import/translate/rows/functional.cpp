// Translates torch.nn.functional.
#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/expressions/operators.h>
#include <tools/import/translate/kinds/operations.h>
#include <tools/import/translate/kinds/tensor.h>
#include <tools/import/translate/rows/calls_by_schema.h>
#include <tools/import/translate/rows/functional.h>

#include <algorithm>

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
                                                   "pairwise_distance",
                                                   "hinge_embedding_loss",
                                                   "margin_ranking_loss",
                                                   "triplet_margin_loss",
                                                   "cosine_embedding_loss",
                                                   "soft_margin_loss",
                                                   "kl_div",
                                                   "glu",
                                                   "hardtanh",
                                                   "relu6",
                                                   "celu",
                                                   "threshold",
                                                   "hardsigmoid",
                                                   "hardswish",
                                                   "softshrink",
                                                   "hardshrink",
                                                   "prelu",
                                                   "bilinear",
                                                   "group_norm",
                                                   "pixel_shuffle",
                                                   "avg_pool3d",
                                                   "conv3d",
                                                   "conv_transpose1d"};

/// A function whose operator has other names or another order of parameters, and none that may be left out.
struct Reordered {
  std::string_view operation;
  std::vector<std::string_view> parameters;  ///< the operator's names, in the order of Python's parameters
  std::vector<std::pair<std::string_view, const char*>> otherwise{};  ///< what is not given
  bool pairs = false;                                                 ///< a number stands for both sides
};

const std::map<std::string_view, Reordered> reordered = {
    {"embedding", {"embedding", {"indices", "weight"}}},
    {"unfold",
     {"im2col",
      {"self", "kernel_size", "dilation", "padding", "stride"},
      {{"dilation", "1"}, {"padding", "0"}, {"stride", "1"}},
      true}},
    {"poisson_nll_loss",
     {"poisson_nll_loss",
      {"input", "target", "log_input", "full"},
      {{"log_input", "true"}, {"full", "false"}, {"eps", "1e-8"}, {"reduction", "at::Reduction::Mean"}}}}};

/// Those whose operators have other names.
const std::map<std::string_view, std::string_view> renamed_in_f = {{"cross_entropy", "cross_entropy_loss"},
                                                                   {"logsigmoid", "log_sigmoid"}};

/// Values of the argument `reduction` of a loss, and their names in LibTorch.
const std::map<std::string_view, std::string_view> reductions = {
    {"none", "at::Reduction::None"}, {"mean", "at::Reduction::Mean"}, {"sum", "at::Reduction::Sum"}};

/// `F.normalize(x, dim=1)`
Value normalized(const Arguments& arguments) {
  const auto [input, p, dim] =
      match("F.normalize", arguments, {{"input", {Kind::tensor}}, {"p", {}, true}, {"dim", {}, true}});
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

/// Returns a default value of an operator's parameter.
Value default_of(std::string_view text) {
  if (text == "true" || text == "false") return value_of(Kind::boolean, cpp::boolean(text == "true"));
  const bool floating = text.find_first_of(".e") != text.npos && !text.starts_with("at::");
  auto value = value_of(floating ? Kind::floating : Kind::integer, cpp::number(std::string(text)));
  if (text.starts_with("at::")) value.expr = cpp::name(text);
  return value;
}

/// Returns the list of both sides of an image, where Python's F takes one number for both.
Value twice(const Value& side) {
  auto sides = value_of(Kind::list, {});
  sides.elements = {side, side};
  sides.literal = true;
  return sides;
}

/// Returns the arguments of a function by the names that its operator's parameters have.
Arguments in_names_of(const Reordered& function, const Arguments& arguments) {
  Arguments given{.named = arguments.named};
  if (arguments.positional.size() > function.parameters.size())
    refuse("F.{} is called in a form that is not translated", function.operation);
  for (auto& [name, value] : given.named) {
    if (name == "input") name = function.parameters[0];
  }
  for (std::size_t i = arguments.positional.size(); i-- > 0;)
    given.named.emplace(given.named.begin(), function.parameters[i], arguments.positional[i]);
  for (const auto& otherwise : function.otherwise) {
    const bool known = std::any_of(given.named.begin(), given.named.end(),
                                   [&](const auto& each) { return each.first == otherwise.first; });
    if (!known) given.named.emplace_back(otherwise.first, default_of(otherwise.second));
  }
  for (auto& [name, value] : given.named) {
    if (!function.pairs || !value.is(Kind::integer)) continue;
    if (value.acts()) refuse("F.{} computes a size where it is called", function.operation);
    value = twice(value);
  }
  return given;
}

/// Returns the arguments without `inplace`. Sets `in_place` if it is True.
Arguments without_inplace(const Arguments& arguments, bool& in_place) {
  auto given = arguments;
  const auto is_inplace = [](const auto& each) { return each.first == "inplace"; };
  const auto found = std::find_if(given.named.begin(), given.named.end(), is_inplace);
  if (found == given.named.end()) return given;
  in_place = cpp::is_written(found->second.expr, true);
  if (!in_place && !cpp::is_written(found->second.expr, false)) refuse("inplace is neither True nor False");
  given.named.erase(found);
  return given;
}

}  // namespace

/// `F.kl_div(x, y, reduction="batchmean")`: the sum by the number of rows.
static Value mean_of_batch(Builder& b, const Arguments& arguments) {
  auto given = arguments;
  for (auto& [name, value] : given.named) {
    if (name == "reduction") value = value_of(Kind::string, cpp::string("sum"));
    if (name == "reduction") value.literal = true;
  }
  if (given.positional.empty()) refuse("F.kl_div is called in a form that is not translated");
  const auto& input = given.positional[0];
  if (input.acts()) refuse("F.kl_div computes its input where it is called");
  return binary_of(b, Ast::Div, call_functional(b, "kl_div", given),
                   tensor_method(b, input, "size", {.positional = {counted(0)}}));
}

/// Functions that Python computes by operators: `F.softsign(x)`, `F.softmin(x, dim=1)`; nullopt for others.
static std::optional<Value> composed_functional(Builder& b, std::string_view name,
                                                const Arguments& arguments) {
  const auto& given = arguments.positional;
  if (given.empty() || !given[0].is(Kind::tensor)) return std::nullopt;
  const bool one = arguments.count() == 1;
  if (name == "softmin") {
    auto rest = arguments;
    rest.positional[0] = tensor_of(cpp::unary("-", given[0].expr));
    return call_functional(b, "softmax", rest);
  }
  if (!one || (name != "softsign" && name != "tanhshrink")) return std::nullopt;
  return b.named(given[0], "input", [&](const Value& input) {
    if (name == "tanhshrink") return binary_of(b, Ast::Sub, input, tensor_method(b, input, "tanh", {}));
    return binary_of(b, Ast::Div, input,
                     binary_of(b, Ast::Add, tensor_method(b, input, "abs", {}), counted(1)));
  });
}

/// `F.interpolate(x, scale_factor=2, mode="nearest")`
static Value interpolated(const Arguments& arguments) {
  const auto [input, size, scale, mode, corners] =
      match("F.interpolate", arguments,
            {{"input", {Kind::tensor}},
             {"size", {}, true},
             {"scale_factor", {}, true},
             {"mode", {Kind::string}, true},
             {"align_corners", {Kind::boolean, Kind::none}, true}});
  const auto none = [](const Value* value) { return value == nullptr || value->is(Kind::none); };
  const auto* to = none(size) ? scale : size;
  const bool fits = none(size) != none(scale) && (mode == nullptr || mode->literal);
  if (!fits || (none(size) != (size == nullptr)) || (none(scale) != (scale == nullptr)))
    refuse("F.interpolate is called in a form that is not translated");
  const bool one = to->type.is_number() && !to->is(Kind::scalar);
  const bool several = to->literal && !to->elements.empty() && !to->acts() &&
                       std::all_of(to->elements.begin(), to->elements.end(), [](const Value& side) {
                         return side.is(Kind::integer) || side.is(Kind::floating);
                       });
  if (!one && !several) refuse("F.interpolate takes {}", in_words(to->type));
  std::vector<cpp::Expr> sides;
  for (const auto& side : one ? std::vector{*to} : to->elements) sides.push_back(floating_literal(side));
  std::vector<cpp::Expr> parts = {input->expr, cpp::braces(std::move(sides)),
                                  mode == nullptr ? cpp::string("nearest") : mode->expr};
  if (!none(corners)) parts.push_back(cpp::labelled("align_corners", corners->expr));
  const auto* const function = none(size) ? "torchbook::nn::scaled" : "torchbook::nn::resized";
  auto value =
      tensor_of(cpp::call(function, std::move(parts)).in_order(arguments.order_of({input, to, mode})));
  value.type.know(input->type.known());
  return value;
}

/// `F.dropout(x, p=0.5, training=True)`: the operator has other names and no defaults.
static Value dropout(Builder& b, const Arguments& arguments) {
  const auto [input, p, training] =
      match("F.dropout", arguments, {{"input"}, {"p", {}, true}, {"training", {}, true}});
  const auto half = value_of(Kind::floating, cpp::number("0.5"));
  const auto on = value_of(Kind::boolean, cpp::labelled("train", cpp::boolean(true)));
  auto value = call_torch(
      b, "dropout", {.positional = {*input, p == nullptr ? half : *p, training == nullptr ? on : *training}},
      false);
  value.expr = value.expr.in_order(arguments.order_of({input, p, training}));
  return value;
}

/// Calls the operator of a function of torch.nn.functional.
static Value call_functional_operator(Builder& b, std::string_view operation, const Arguments& arguments) {
  auto given = arguments;
  for (auto& [argument, value] : given.named) {
    if (argument != "reduction" || !value.is_text(value.expr.text())) continue;
    const auto reduction = reductions.find(value.expr.text());
    if (reduction != reductions.end()) value = value_of(Kind::integer, cpp::name(reduction->second));
  }
  return call_torch(b, operation, given, false);
}

Value call_functional(Builder& b, const std::string& name, const Arguments& all) {
  if (name == "dropout") return dropout(b, all);
  if (name == "normalize") return normalized(all);
  if (name == "interpolate") return interpolated(all);
  if (auto value = composed_functional(b, name, all)) return *value;
  const auto* reduced = all.find("reduction", Arguments::by_name);
  if (name == "kl_div" && reduced != nullptr && reduced->is_text("batchmean")) return mean_of_batch(b, all);
  bool in_place = false;
  const auto arguments = without_inplace(all, in_place);
  if (name == "elu" && arguments.positional.size() > 2)
    refuse("F.elu is called in a form that is not translated");
  if (in_place) return call_torch(b, name + "_", arguments, false);
  if (const auto found = reordered.find(name); found != reordered.end())
    return call_functional_operator(b, found->second.operation, in_names_of(found->second, arguments));
  const auto renamed = renamed_in_f.find(name);
  if (renamed == renamed_in_f.end() && !operators_of_f.contains(name)) refuse("F.{} is not translated", name);
  const auto operation = renamed == renamed_in_f.end() ? std::string_view(name) : renamed->second;
  const bool both_sides = name.starts_with("adaptive") && name.ends_with("2d") &&
                          arguments.positional.size() == 2 && arguments.positional[1].is(Kind::integer);
  if (!both_sides) return call_functional_operator(b, operation, arguments);
  const auto call = [&](const Value& side) {
    return call_torch(b, operation,
                      {.positional = {arguments.positional[0], twice(side)}, .named = arguments.named},
                      false);
  };
  const auto& side = arguments.positional[1];
  return side.acts() ? b.named(side, "size", call) : call(side);
}

}  // namespace torchbook::translate
