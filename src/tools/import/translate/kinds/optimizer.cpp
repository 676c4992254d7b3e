#include <fmt/format.h>
#include <tools/import/translate/core/builder.h>
#include <tools/import/translate/core/match.h>
#include <tools/import/translate/cpp/print.h>
#include <tools/import/translate/expressions/calls.h>
#include <tools/import/translate/expressions/expressions.h>
#include <tools/import/translate/functions/function_calls.h>
#include <tools/import/translate/kinds/optimizer.h>
#include <tools/import/translate/kinds/orders.h>
#include <tools/import/translate/rows/functions_by_hand.h>
#include <tools/import/translate/rows/layers.h>
#include <tools/import/translate/rows/row.h>

#include <algorithm>
#include <map>

namespace torchbook::translate {
namespace {

/// Returns an argument of an initializer, where a str names a mode.
cpp::Expr init_argument(const Value& value) {
  if (auto mode = mode_of(value)) return mode;
  if (value.is(Kind::string)) refuse("nn.init has another mode");
  return value.expr;
}

/// Returns the value for a parameter of an initializer that is not given, but precedes one that is.
cpp::Expr default_argument(std::string_view parameter) {
  return parameter == "mode" ? cpp::name("torch::kFanIn") : cpp::number(0);
}

}  // namespace

/// `nn.init.normal_(x, std=0.02)`
static Value initialized(Builder& b, const RowCall& given) {
  auto values = given.values;
  while (values.back() == nullptr) values.pop_back();
  std::vector<cpp::Expr> codes;
  codes.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    codes.push_back(values[i] == nullptr ? default_argument(given.parameters[i].name)
                                         : init_argument(*values[i]));
  ++b.found.changes;
  const auto call = cpp::call(fmt::format("torch::nn::init::{}", given.name), std::move(codes));
  return value_of(values[0]->type, call.in_order(given.arguments.order_of(values)));
}

static const CallParameter initial_tensor{"tensor", {Kind::tensor}};
static const CallParameter initial_gain{"gain", {}, true};

static const std::vector<Row> initializers = {
    {"normal_", {initial_tensor, {"mean", {}, true}, {"std", {}, true}}, initialized},
    {"uniform_", {initial_tensor, {"a", {}, true}, {"b", {}, true}}, initialized},
    {"zeros_ ones_ eye_", {initial_tensor}, initialized},
    {"constant_", {initial_tensor, {"val"}}, initialized},
    {"xavier_uniform_ xavier_normal_ orthogonal_", {initial_tensor, initial_gain}, initialized},
    {"kaiming_uniform_ kaiming_normal_",
     {initial_tensor, {"a", {}, true}, {"mode", {}, true}, {"nonlinearity", {}, true}},
     initialized}};

Value call_init(Builder& b, const std::string& name, const Arguments& arguments) {
  return call_table(b, initializers, name, "nn.init." + name, arguments);
}

/// Returns a scheduler of the optimizer that a call has first.
static Value scheduler_with(const RowCall& given, std::vector<cpp::Expr> codes) {
  if (given.values[0]->temporary) refuse("{} takes an optimizer without a name", given.name);
  if (std::count_if(codes.begin(), codes.end(), [](const auto& code) { return code.acts(); }) > 1)
    refuse("several arguments of a scheduler draw or change something");
  codes.insert(codes.begin(), given.values[0]->expr);
  const auto type = fmt::format("torchbook::optim::{}", given.name);
  return value_of(named_type(Kind::optimizer, type), cpp::call(type, std::move(codes)));
}

/// Returns an argument of a scheduler: a number, a list of ints or a list of schedulers.
static cpp::Expr scheduler_argument(const RowCall& given, const Value& value) {
  const bool milestones = value.type == list_of(Type(Kind::integer));
  const auto& parts = value.elements;
  if (value.is(Kind::list) && value.literal && !parts.empty() &&
      std::all_of(parts.begin(), parts.end(), [](const Value& each) { return each.is(Kind::optimizer); })) {
    std::vector<cpp::Expr> names;
    names.reserve(parts.size());
    for (const auto& each : parts) names.push_back(each.expr);
    return cpp::braces(std::move(names));
  }
  if (!value.type.is_number() && !milestones) refuse("{} takes {}", given.name, in_words(value.type));
  return milestones && value.literal ? braces_of(value) : value.expr;
}

/// `StepLR(optimizer, step_size=10)`. An argument that is not given but precedes one that is gets its
/// default.
static Value scheduler_of(Builder& /*b*/, const RowCall& given) {
  static const std::map<std::string_view, const char*> defaults = {
      {"start_factor", "1.0 / 3"}, {"end_factor", "1.0"}, {"total_iters", "5"}, {"T_mult", "1"}};
  auto last = given.values.size();
  while (given.values[last - 1] == nullptr) --last;
  std::vector<cpp::Expr> codes;
  for (std::size_t i = 1; i < last; ++i)
    codes.push_back(given.values[i] != nullptr ? scheduler_argument(given, *given.values[i])
                                               : cpp::number(defaults.at(given.parameters[i].bare_name())));
  return scheduler_with(given, std::move(codes));
}

/// `ReduceLROnPlateau(optimizer, patience=3)`, and OneCycleLR: the arguments from `first` on are options.
static Value scheduler_with_options(const RowCall& given, std::vector<cpp::Expr> firsts, std::size_t first) {
  auto options = cpp::call(fmt::format("torchbook::optim::{}Options", given.name), std::move(firsts));
  bool any = first > 1;
  for (std::size_t i = first; i < given.values.size(); ++i) {
    const auto* value = given.values[i];
    if (value == nullptr) continue;
    if (!value->type.is_number() && !(value->is(Kind::string) && value->literal))
      refuse("{} takes {}", given.name, in_words(value->type));
    options = cpp::method(options, given.parameters[i].bare_name(), {value->expr});
    any = true;
  }
  return scheduler_with(given, any ? std::vector{options} : std::vector<cpp::Expr>{});
}

static Value plateau_of(Builder& /*b*/, const RowCall& given) { return scheduler_with_options(given, {}, 1); }

/// `OneCycleLR(optimizer, max_lr=0.1, epochs=3, steps_per_epoch=len(loader))`
static Value one_cycle_of(Builder& /*b*/, const RowCall& given) {
  const auto *most = given.values[1], *total = given.values[2], *epochs = given.values[3],
             *steps = given.values[4];
  const bool product = epochs != nullptr && steps != nullptr && !epochs->acts() && !steps->acts();
  if (!most->type.is_number() || (total == nullptr) != product) given.refuse_form();
  return scheduler_with_options(
      given, {most->expr, product ? cpp::binary(epochs->expr, "*", steps->expr) : total->expr}, 5);
}

static const CallParameter scheduled{"optimizer", {Kind::optimizer}};
static const CallParameter factor_of_rate{"gamma", {}, true};
static const CallParameter least_rate{"eta_min", {}, true};

static CallParameter optional(const char* name) { return {name, {}, true}; }

static const std::vector<Row> schedulers = {
    {"StepLR", {scheduled, {"step_size"}, factor_of_rate}, scheduler_of},
    {"MultiStepLR", {scheduled, {"milestones"}, factor_of_rate}, scheduler_of},
    {"ExponentialLR", {scheduled, {"gamma"}}, scheduler_of},
    {"LinearLR",
     {scheduled, optional("start_factor"), optional("end_factor"), optional("total_iters")},
     scheduler_of},
    {"CosineAnnealingLR", {scheduled, {"T_max"}, least_rate}, scheduler_of},
    {"CosineAnnealingWarmRestarts", {scheduled, {"T_0"}, optional("T_mult"), least_rate}, scheduler_of},
    {"SequentialLR", {scheduled, {"schedulers"}, {"milestones"}}, scheduler_of},
    {"OneCycleLR",
     {scheduled,
      {"max_lr"},
      optional("total_steps"),
      optional("epochs"),
      optional("steps_per_epoch"),
      optional("pct_start"),
      optional("anneal_strategy"),
      optional("cycle_momentum"),
      optional("base_momentum"),
      optional("max_momentum"),
      optional("div_factor"),
      optional("final_div_factor"),
      optional("three_phase")},
     one_cycle_of},
    {"ReduceLROnPlateau",
     {scheduled, optional("mode"), optional("factor"), optional("patience"), optional("threshold"),
      optional("threshold_mode"), optional("cooldown"), optional("min_lr"), optional("eps")},
     plateau_of}};

Value call_optimizer(Builder& b, const std::string& name, const Arguments& arguments) {
  const auto whole = "torch.optim." + name;
  if (name.starts_with("lr_scheduler.")) return call_table(b, schedulers, name.substr(13), whole, arguments);
  const auto* optimizer = optimizer_named(name);
  if (optimizer == nullptr) refuse("{} is not translated", whole);
  const auto given = match_row(whole, arguments, optimizer->parameters({{"params", {Kind::list}}}));
  const auto& parameters = *given[0];
  if (parameters.type.items.empty() || !parameters.type.items[0].is(Kind::tensor))
    refuse("an optimizer takes something other than a list of parameters");
  const auto type = optimizer_type(name);
  auto parts = constructor_arguments(*optimizer, "torch::optim", given, 1);  // its options are LibTorch's
  b.traits.whole_rate = b.traits.whole_rate || (given[1] != nullptr && given[1]->is(Kind::integer));
  parts.insert(parts.begin(), parameters.literal ? braces_of(parameters) : parameters.expr);
  return value_of(type, cpp::call(type.name(), std::move(parts)));
}

Value rate_by_function(Builder& b, const Node& node) {
  const auto given = node.args();
  const auto keywords = node.keywords();
  const bool named = keywords.size() == 1 && keywords[0].has_arg() && keywords[0].arg() == "lr_lambda";
  if (given.empty() || given.size() + keywords.size() != 2 || (!keywords.empty() && !named))
    refuse("LambdaLR is called in a form that is not translated");
  const auto optimizer = expression(b, given[0]);
  const auto rate = named ? keywords[0].value() : given[1];
  if (!optimizer.is(Kind::optimizer) || optimizer.temporary)
    refuse("LambdaLR is called in a form that is not translated");
  cpp::Expr code;
  if (rate.is(Ast::Lambda)) {
    code = key_function(b, rate, Type(Kind::integer));
  } else {
    const auto function = expression(b, rate);
    if (!function.is(Kind::function)) refuse("LambdaLR takes something other than a function");
    const auto call = [&](std::vector<cpp::Expr> parts) {
      return cpp::call(function.expr.text(), std::move(parts));
    };
    const auto result = call_function(b, b.function_named(function.type.name()), call,
                                      {.positional = {value_of(Kind::integer, cpp::name("epoch"))}});
    if (!result.type.is_number() || result.acts())
      refuse("the function of LambdaLR does not return a number");
    code = function.expr;
  }
  const std::string type = "torchbook::optim::LambdaLR";
  return value_of(named_type(Kind::optimizer, type),
                  cpp::call(type, {optimizer.expr, code}).with(cpp::writes(cpp::Place::memory)));
}

Value clip_gradients(Builder& b, const Arguments& arguments) {
  const auto [parameters, most] =
      match("clip_grad_norm_", arguments,
            {{"parameters", {Kind::list}}, {"max_norm", {Kind::integer, Kind::floating, Kind::scalar}}});
  ++b.found.changes;
  return tensor_of(cpp::call("torchbook::nn::clip_grad_norm_", {parameters->expr, most->expr})
                       .in_order(arguments.order_of({parameters, most})));
}

/// Refuses reading a learning rate if one is given as an int: Python prints it as an int.
static void refuse_whole_rate(const Builder& b) {
  if (b.traits.whole_rate) refuse("a learning rate is an int");
}

Value optimizer_method(Builder& b, const Value& optimizer, std::string_view name,
                       const Arguments& arguments) {
  const bool schedules = is_scheduler(optimizer.type);
  if (schedules && name == "get_last_lr" && arguments.positional.empty()) {
    refuse_whole_rate(b);
    return value_of(list_of(Type(Kind::floating)), cpp::method(optimizer.expr, "get_last_lr"));
  }
  if (name == "zero_grad" && !schedules) {
    const auto [none] = match(name, arguments, {{"set_to_none", {}, true}});
    if (none != nullptr)
      return value_of(Kind::none, cpp::call("torchbook::optim::zero_grad",
                                            {optimizer.expr, cpp::labelled("set_to_none", none->expr)}));
  }
  if (name == "state_dict" && arguments.count() == 0)
    return value_of(shown_type(state_of_optimizer),
                    schedules ? cpp::method(optimizer.expr, name)
                              : cpp::call("torchbook::optim::state_dict", {optimizer.expr}));
  if (name == "load_state_dict") {
    const auto [state] = match(name, arguments, {{"state_dict", {Kind::shown}}});
    if (state->type.name() != state_of_optimizer) refuse("an optimizer loads {}", in_words(state->type));
    ++b.found.changes;
    return value_of(Kind::none, schedules ? cpp::method(optimizer.expr, name, {state->expr})
                                          : cpp::call("torchbook::optim::load_state_dict",
                                                      {optimizer.expr, state->expr}));
  }
  if (name == "step" && optimizer.type.name() == "torchbook::optim::ReduceLROnPlateau") {
    const auto [metrics] = match(name, arguments, {{"metrics"}});
    if (!metrics->is(Kind::tensor) && !metrics->type.is_number())
      refuse("a scheduler takes {}", in_words(metrics->type));
    ++b.found.changes;
    const auto number =
        metrics->is(Kind::tensor) ? cpp::method(metrics->expr, "item<double>") : metrics->expr;
    return value_of(Kind::none, cpp::method(optimizer.expr, name, {number}));
  }
  const bool known = name == "step" || (name == "zero_grad" && !schedules);
  if (!known || arguments.count() > 0) {
    refuse("the method {} of an optimizer is not translated", name);
  }
  return value_of(Kind::none, cpp::method(optimizer.expr, name));
}

Value optimizer_attribute(Builder& /*b*/, const Value& optimizer, std::string_view name) {
  if (name != "param_groups") refuse("the attribute {} of an optimizer is not translated", name);
  auto groups = value_of(list_of(named_type(Kind::parameter_group, "torch::optim::OptimizerParamGroup")),
                         cpp::method(optimizer.expr, "param_groups"));
  groups.temporary = false;
  return groups;
}

/// Refuses an index of a group of parameters that is not `"lr"`.
static void refuse_unless_rate(const Node& slice) {
  if (!slice.is(Ast::Constant) || slice.constant() != "lr")
    refuse("an index of a group of parameters is not translated");
}

Value parameter_group_item(Builder& b, const Value& group, const Node& slice) {
  refuse_unless_rate(slice);
  refuse_whole_rate(b);
  return value_of(Kind::floating, cpp::method(cpp::method(group.expr, "options"), "get_lr"));
}

void assign_parameter_group_item(Builder& b, const Value& group, const Node& target, const Value& value) {
  refuse_unless_rate(target.slice());
  if (!value.type.is_number()) refuse("a learning rate is {}", in_words(value.type));
  b.traits.whole_rate = b.traits.whole_rate || value.is(Kind::integer);
  const auto options = cpp::method(group.expr, "options");
  b.emit(cpp::Evaluate{cpp::method(options, "set_lr", {value.expr}).in_order({1, 0})});
}

}  // namespace torchbook::translate
