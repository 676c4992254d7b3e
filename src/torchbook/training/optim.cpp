// Runs the operations in the order of Python's torch/optim/adam.py.
#include <torch/optim/adagrad.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/pyrepr/release.h>
#include <torchbook/runtime/optim.h>

#include <cmath>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace torchbook::optim {
namespace {

using at::Tensor;

/// Returns the key of a parameter's state in an optimizer: a text or a pointer, depending on the
/// release.
template <class Key>
Key key_of(const Tensor& parameter) {
  auto* const implementation = parameter.unsafeGetTensorImpl();
  if constexpr (std::is_same_v<Key, std::string>) {
    std::ostringstream text;
    text << implementation;
    return text.str();
  } else {
    return implementation;
  }
}

auto& place_of(torch::optim::Optimizer& optimizer, const Tensor& parameter) {
  using States = std::remove_reference_t<decltype(optimizer.state())>;
  return optimizer.state()[key_of<typename States::key_type>(parameter)];
}

/// Returns the state of a parameter. The first step creates it.
template <class State>
State& state_of(torch::optim::Optimizer& optimizer, const Tensor& parameter, bool amsgrad) {
  auto& place = place_of(optimizer, parameter);
  if (!place) {
    auto made = std::make_unique<State>();
    made->exp_avg(at::zeros_like(parameter));
    made->exp_avg_sq(at::zeros_like(parameter));
    if (amsgrad) made->max_exp_avg_sq(at::zeros_like(parameter));
    place = std::move(made);
  }
  return static_cast<State&>(*place);
}

void move_mean(Tensor& mean, const Tensor& gradient, double beta) {
  if constexpr (pyrepr::release::at_least(2, 1)) {  // pytorch/pytorch #104796
    mean.lerp_(gradient, 1 - beta);
  } else {
    mean.mul_(beta).add_(gradient, 1 - beta);
  }
}

/// Updates a parameter by its gradient. The caller has already applied the weight decay.
template <class Options, class State>
void change(Tensor& parameter, const Tensor& gradient, State& state, const Options& options) {
  const auto [beta1, beta2] = options.betas();
  state.step(state.step() + 1);
  move_mean(state.exp_avg(), gradient, beta1);
  state.exp_avg_sq().mul_(beta2).addcmul_(gradient, gradient, 1 - beta2);
  auto squares = state.exp_avg_sq();
  if (options.amsgrad()) {
    at::maximum_out(state.max_exp_avg_sq(), state.max_exp_avg_sq(), squares);
    squares = state.max_exp_avg_sq();
  }
  const auto steps = static_cast<double>(state.step());
  const double correction1 = 1 - std::pow(beta1, steps);
  const double correction2 = std::sqrt(1 - std::pow(beta2, steps));
  const auto root = (squares.sqrt() / correction2).add_(options.eps());
  parameter.addcdiv_(state.exp_avg(), root, -(options.lr() / correction1));
}

/// Calls `one` for each parameter that has a gradient, with its options and its state.
template <class Options, class State, class One>
Tensor step_of(torch::optim::Optimizer& optimizer, const torch::optim::Optimizer::LossClosure& closure,
               One one) {
  Tensor loss;
  if (closure != nullptr) {
    const at::AutoGradMode enabled(true);
    loss = closure();
  }
  const at::NoGradGuard no_grad;
  for (auto& group : optimizer.param_groups()) {
    const auto& options = static_cast<const Options&>(group.options());
    for (auto& parameter : group.params()) {
      if (!parameter.grad().defined()) continue;
      one(parameter, state_of<State>(optimizer, parameter, options.amsgrad()), options);
    }
  }
  return loss;
}

using Options = std::map<std::string, std::string>;

/// Returns the text of a number whose default is the int 0.
std::string zero_or(double number) { return number == 0 ? "0" : pyrepr::repr(number); }

/// Returns the texts of the options that several optimizers have, as far as Python's class has them.
Options common_options(bool differentiable, bool capturable, bool fused, bool is_adam) {
  constexpr bool is_new = pyrepr::release::at_least(2, 0);
  Options options = {{"foreach", "None"}, {"maximize", "False"}};
  if (differentiable || is_new) options["differentiable"] = "False";
  if (capturable) options["capturable"] = "False";
  if (fused && (is_adam || is_new)) options["fused"] = is_new ? "None" : "False";
  return options;
}

/// Returns the options of torch::optim::Adam, or of AdamW, whose decay is decoupled.
template <class AdamOptions>
Options adam_options(const AdamOptions& adam, bool decoupled) {
  auto options = common_options(!decoupled, true, !decoupled || pyrepr::release::at_least(2, 0), true);
  options.merge(Options{{"amsgrad", pyrepr::repr(adam.amsgrad())},
                        {"betas", pyrepr::repr(adam.betas())},
                        {"eps", pyrepr::repr(adam.eps())},
                        {"lr", pyrepr::repr(adam.lr())},
                        {"weight_decay", zero_or(adam.weight_decay())}});
  // Seen in 2.14 but not in 2.6.
  if (pyrepr::release::at_least(2, 7)) options["decoupled_weight_decay"] = decoupled ? "True" : "False";
  return options;
}

/// Returns the class and the options of a group of parameters.
std::pair<std::string, Options> class_and_options(const torch::optim::OptimizerOptions& of) {
  if (const auto* adam = dynamic_cast<const torch::optim::AdamOptions*>(&of))
    return {"Adam", adam_options(*adam, false)};
  if (const auto* adamw = dynamic_cast<const torch::optim::AdamWOptions*>(&of))
    return {"AdamW", adam_options(*adamw, true)};
  if (const auto* sgd = dynamic_cast<const torch::optim::SGDOptions*>(&of)) {
    auto options = common_options(true, false, true, false);
    options.merge(Options{{"dampening", zero_or(sgd->dampening())},
                          {"lr", pyrepr::repr(sgd->lr())},
                          {"momentum", zero_or(sgd->momentum())},
                          {"nesterov", pyrepr::repr(sgd->nesterov())},
                          {"weight_decay", zero_or(sgd->weight_decay())}});
    return {"SGD", options};
  }
  if (const auto* rmsprop = dynamic_cast<const torch::optim::RMSpropOptions*>(&of)) {
    auto options = common_options(true, pyrepr::release::at_least(2, 6), false, false);
    options.merge(Options{{"alpha", pyrepr::repr(rmsprop->alpha())},
                          {"centered", pyrepr::repr(rmsprop->centered())},
                          {"eps", pyrepr::repr(rmsprop->eps())},
                          {"lr", pyrepr::repr(rmsprop->lr())},
                          {"momentum", zero_or(rmsprop->momentum())},
                          {"weight_decay", zero_or(rmsprop->weight_decay())}});
    return {"RMSprop", options};
  }
  if (const auto* adagrad = dynamic_cast<const torch::optim::AdagradOptions*>(&of)) {
    auto options = common_options(false, false, true, false);
    options.merge(Options{{"eps", pyrepr::repr(adagrad->eps())},
                          {"initial_accumulator_value", zero_or(adagrad->initial_accumulator_value())},
                          {"lr", pyrepr::repr(adagrad->lr())},
                          {"lr_decay", zero_or(adagrad->lr_decay())},
                          {"weight_decay", zero_or(adagrad->weight_decay())}});
    return {"Adagrad", options};
  }
  throw std::invalid_argument("an optimizer of this class has no text");
}

}  // namespace

std::string repr(const torch::optim::Optimizer& optimizer) {
  std::string text;
  std::size_t number = 0;
  for (const auto& group : optimizer.param_groups()) {
    const auto [name, options] = class_and_options(group.options());
    if (number == 0) text = name + " (";
    text += "\nParameter Group " + std::to_string(number++) + "\n";
    for (const auto& [option, value] : options) text += "    " + option + ": " + value + "\n";
  }
  return text + ")";
}

void set_state(torch::optim::Optimizer& optimizer, const Tensor& parameter,
               std::unique_ptr<torch::optim::OptimizerParamState> state) {
  place_of(optimizer, parameter) = std::move(state);
}

Tensor Adam::step(LossClosure closure) {
  using torch::optim::AdamOptions;
  using torch::optim::AdamParamState;
  return step_of<AdamOptions, AdamParamState>(
      *this, closure, [](Tensor& parameter, AdamParamState& state, const AdamOptions& options) {
        const double decay = options.weight_decay();
        const auto gradient = parameter.grad();
        change(parameter, decay == 0 ? gradient : gradient.add(parameter, decay), state, options);
      });
}

Tensor AdamW::step(LossClosure closure) {
  using torch::optim::AdamWOptions;
  using torch::optim::AdamWParamState;
  return step_of<AdamWOptions, AdamWParamState>(
      *this, closure, [](Tensor& parameter, AdamWParamState& state, const AdamWOptions& options) {
        parameter.mul_(1 - options.lr() * options.weight_decay());
        change(parameter, parameter.grad(), state, options);
      });
}

}  // namespace torchbook::optim
