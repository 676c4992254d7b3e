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
#include <tools/import/translate/rows/layers.h>
#include <tools/import/translate/rows/row.h>

#include <algorithm>

namespace torchbook::translate {
namespace {

/// Values of the argument `reduction` of a loss, and their names in LibTorch.
const std::map<std::string_view, std::string_view> reductions = {
    {"none", "at::Reduction::None"}, {"mean", "at::Reduction::Mean"}, {"sum", "at::Reduction::Sum"}};

/// `F.normalize(x, dim=1)`
Value normalized(Builder& /*b*/, const RowCall& given) {
  const auto [input, p, dim] = given.as<3>();
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

/// Returns the arguments without `inplace`. Sets `in_place` if it is True.
Arguments without_inplace(const Arguments& arguments, bool& in_place) {
  auto given = arguments;
  const auto is_inplace = [](const auto& each) { return each.first == "inplace"; };
  const auto found = std::find_if(given.named.begin(), given.named.end(), is_inplace);
  if (found == given.named.end()) return given;
  in_place = written_flag(&found->second, "inplace");
  given.named.erase(found);
  return given;
}

}  // namespace

/// Calls an operator. A str that names a reduction is a constant of LibTorch.
static Value call_operator(Builder& b, std::string_view operation, const Arguments& arguments) {
  auto given = arguments;
  for (auto& [argument, value] : given.named) {
    if (argument != "reduction" || !value.is_text(value.expr.text())) continue;
    const auto reduction = reductions.find(value.expr.text());
    if (reduction != reductions.end()) value = value_of(Kind::integer, cpp::name(reduction->second));
  }
  return call_torch(b, operation, given, false);
}

/// `F.relu(x)`: most functions are operators of the same name.
static Value operator_of_f(Builder& b, const RowCall& given) {
  return call_operator(b, given.name, given.arguments);
}

static Value cross_entropy(Builder& b, const RowCall& given) {
  return call_operator(b, "cross_entropy_loss", given.arguments);
}

static Value log_sigmoid(Builder& b, const RowCall& given) {
  return call_torch(b, "log_sigmoid", given.arguments, false);
}

/// Calls an operator that has another name for the first parameter, and no default values. With `pairs`, a
/// number is used for both sides of an image.
static Value call_by_names(Builder& b, std::string_view operation, std::string_view first,
                           const RowCall& given, bool pairs = false) {
  Arguments all;
  for (std::size_t i = 0; i < given.values.size(); ++i) {
    const auto& parameter = given.parameters[i];
    auto value = given.values[i] == nullptr ? default_of(parameter.default_code) : *given.values[i];
    if (pairs && value.is(Kind::integer)) {
      if (value.acts()) refuse("{} computes a size where it is called", given.whole);
      value = twice(value);
    }
    all.named.emplace_back(i == 0 ? first : parameter.bare_name(), std::move(value));
  }
  return call_operator(b, operation, all);
}

static Value embedded(Builder& b, const RowCall& given) {
  return call_by_names(b, "embedding", "indices", given);
}
static Value unfolded(Builder& b, const RowCall& given) {
  return call_by_names(b, "im2col", "self", given, true);
}
static Value poisson_loss(Builder& b, const RowCall& given) {
  return call_by_names(b, given.name, "input", given);
}

/// `F.kl_div(x, y, reduction="batchmean")`: the sum by the number of rows.
static Value divergence(Builder& b, const RowCall& given) {
  const auto* reduction = given.values[2];
  if (reduction == nullptr || !reduction->is_text("batchmean")) return operator_of_f(b, given);
  const auto& input = *given.values[0];
  if (input.acts()) refuse("F.kl_div computes its input where it is called");
  auto all = given.arguments;
  for (auto& [name, value] : all.named) {
    if (name == "reduction") value.expr = cpp::string("sum");
  }
  return binary_of(b, Ast::Div, call_operator(b, given.name, all),
                   tensor_method(b, input, "size", {.positional = {counted(0)}}));
}

/// `F.softmin(x, dim=1)`
static Value softmin(Builder& b, const RowCall& given) {
  const auto [input, dim] = given.as<2>();
  return call_torch(b, "softmax", {.positional = {tensor_of(cpp::unary("-", input->expr)), *dim}}, false);
}

/// `F.softsign(x)`, `F.tanhshrink(x)`
static Value composed_of_operators(Builder& b, const RowCall& given) {
  return b.named(*given.values[0], "input", [&](const Value& input) {
    if (given.name == "tanhshrink") return binary_of(b, Ast::Sub, input, tensor_method(b, input, "tanh", {}));
    return binary_of(b, Ast::Div, input,
                     binary_of(b, Ast::Add, tensor_method(b, input, "abs", {}), counted(1)));
  });
}

/// `F.adaptive_avg_pool2d(x, 3)`, where a number is used for both sides of an image.
static Value pooled(Builder& b, const RowCall& given) {
  const auto& side = *given.values[1];
  const auto call = [&](const Value& size) {
    return call_torch(b, given.name,
                      {.positional = {*given.values[0], size.is(Kind::integer) ? twice(size) : size}}, false);
  };
  return side.is(Kind::integer) && side.acts() ? b.named(side, "size", call) : call(side);
}

/// `F.interpolate(x, scale_factor=2, mode="nearest")`
static Value interpolated(Builder& /*b*/, const RowCall& given) {
  const auto [input, size, scale, mode, corners] = given.as<5>();
  const auto none = [](const Value* value) { return value == nullptr || value->is(Kind::none); };
  const auto* to = none(size) ? scale : size;
  const bool fits = none(size) != none(scale) && (mode == nullptr || mode->literal);
  if (!fits || (none(size) != (size == nullptr)) || (none(scale) != (scale == nullptr))) given.refuse_form();
  const bool one = to->type.is_number() && !to->is(Kind::scalar);
  const bool several = to->literal && !to->elements.empty() && !to->acts() &&
                       std::all_of(to->elements.begin(), to->elements.end(), [](const Value& side) {
                         return side.is(Kind::integer) || side.is(Kind::floating);
                       });
  if (!one && !several) refuse("F.interpolate takes {}", in_words(to->type));
  std::vector<cpp::Expr> sides;
  for (const auto& side : one ? std::vector{*to} : to->elements)
    sides.push_back(none(size) ? floating_literal(side) : side.expr);
  auto options = cpp::call("torch::nn::functional::InterpolateFuncOptions", {});
  const auto set = [&](const char* name, const cpp::Expr& part) {
    options = cpp::method(options, name, {part});
  };
  set(none(size) ? "scale_factor" : "size",
      cpp::braces(std::move(sides), none(size) ? "std::vector<double>" : "std::vector<int64_t>"));
  const auto known = mode == nullptr ? cpp::Expr() : mode_of(*mode);
  if (mode != nullptr && !known) refuse("F.interpolate has another mode");
  if (mode != nullptr) set("mode", known);
  if (!none(corners)) set("align_corners", corners->expr);
  auto value = tensor_of(cpp::call("torchbook::nn::interpolate", {input->expr, options})
                             .in_order(given.arguments.order_of({input, to})));
  value.type.know(input->type.known());
  return value;
}

/// `F.dropout(x, p=0.5, training=True)`: the operator has other names and no defaults.
static Value dropout(Builder& b, const RowCall& given) {
  const auto [input, p, training] = given.as<3>();
  const auto half = value_of(Kind::floating, cpp::number("0.5"));
  const auto on = value_of(Kind::boolean, cpp::labelled("train", cpp::boolean(true)));
  auto value = call_torch(
      b, "dropout", {.positional = {*input, p == nullptr ? half : *p, training == nullptr ? on : *training}},
      false);
  value.expr = value.expr.in_order(given.arguments.order_of({input, p, training}));
  return value;
}

static const CallParameter input_of_f{"input", {Kind::tensor}};

static const std::vector<Row> functions_of_f = {
    {"softmax log_softmax relu sigmoid tanh gelu silu mse_loss l1_loss one_hot linear layer_norm "
     "cosine_similarity pad scaled_dot_product_attention conv1d conv2d conv_transpose2d max_pool1d "
     "max_pool2d avg_pool1d avg_pool2d adaptive_avg_pool1d nll_loss smooth_l1_loss huber_loss "
     "binary_cross_entropy binary_cross_entropy_with_logits leaky_relu selu softplus mish "
     "pairwise_distance hinge_embedding_loss margin_ranking_loss triplet_margin_loss "
     "cosine_embedding_loss soft_margin_loss glu hardtanh relu6 celu threshold hardsigmoid hardswish "
     "softshrink hardshrink prelu bilinear group_norm pixel_shuffle avg_pool3d conv3d "
     "conv_transpose1d",
     {},
     operator_of_f},
    {"elu", {{"input"}, {"alpha", {}, true}}, operator_of_f},
    {"cross_entropy", {}, cross_entropy},
    {"logsigmoid", {}, log_sigmoid},
    {"kl_div",
     {input_of_f,
      {"target", {Kind::tensor}},
      {"*reduction", {Kind::string}, true},
      {"*log_target", {Kind::boolean}, true}},
     divergence},
    {"adaptive_avg_pool2d", {input_of_f, {"output_size"}}, pooled},
    {"embedding", {input_of_f, {"weight", {Kind::tensor}}}, embedded},
    {"unfold",
     {input_of_f,
      {"kernel_size"},
      {"dilation", {}, true, "1"},
      {"padding", {}, true, "0"},
      {"stride", {}, true, "1"}},
     unfolded},
    {"poisson_nll_loss",
     {input_of_f,
      {"target"},
      {"log_input", {}, true, "true"},
      {"full", {}, true, "false"},
      {"*eps", {}, true, "1e-8"},
      {"*reduction", {}, true, "at::Reduction::Mean"}},
     poisson_loss},
    {"softmin", {input_of_f, {"dim"}}, softmin},
    {"softsign tanhshrink", {input_of_f}, composed_of_operators},
    {"normalize", {input_of_f, {"p", {}, true}, {"dim", {}, true}}, normalized},
    {"interpolate",
     {input_of_f,
      {"size", {}, true},
      {"scale_factor", {}, true},
      {"mode", {Kind::string}, true},
      {"align_corners", {Kind::boolean, Kind::none}, true}},
     interpolated},
    {"dropout", {input_of_f, {"p", {}, true}, {"training", {}, true}}, dropout}};

Value call_functional(Builder& b, const std::string& name, const Arguments& all) {
  bool in_place = false;
  const auto arguments = without_inplace(all, in_place);
  if (in_place) return call_torch(b, name + "_", arguments, false);
  return call_table(b, functions_of_f, name, fmt::format("F.{}", name), arguments);
}

}  // namespace torchbook::translate
