// Runs the operations in the order of Python's torch/optim.
#include <ATen/ATen.h>
#include <torchbook/pyrepr/ivalue.h>
#include <torchbook/pyrepr/pyrepr.h>
#include <torchbook/pyrepr/release.h>
#include <torchbook/pyrepr/size.h>
#include <torchbook/training/optim.h>
#include <torchbook/training/python_values.h>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace torchbook::optim::inline v1 {
namespace {

using at::Tensor;
using c10::IValue;
using pyrepr::release::at_least;
using training::dict_of;
using training::list_of;
using training::new_dict;
using training::number_of;
using training::PythonDict;
using training::read;

// ------------------------------------------------------------ the classes

template <class ItsOptions, class ItsState>
struct Kind {
  using Options = ItsOptions;
  using State = ItsState;
  std::string_view name;
};

/// Calls `use` with the Kind of an optimizer.
template <class Use>
auto with_kind(const torch::optim::Optimizer& optimizer, const Use& use) {
  namespace of = torch::optim;
  if (dynamic_cast<const of::SGD*>(&optimizer)) return use(Kind<of::SGDOptions, of::SGDParamState>{"SGD"});
  if (dynamic_cast<const of::Adam*>(&optimizer))
    return use(Kind<of::AdamOptions, of::AdamParamState>{"Adam"});
  if (dynamic_cast<const of::AdamW*>(&optimizer))
    return use(Kind<of::AdamWOptions, of::AdamWParamState>{"AdamW"});
  if (dynamic_cast<const of::RMSprop*>(&optimizer))
    return use(Kind<of::RMSpropOptions, of::RMSpropParamState>{"RMSprop"});
  if (dynamic_cast<const of::Adagrad*>(&optimizer))
    return use(Kind<of::AdagradOptions, of::AdagradParamState>{"Adagrad"});
  throw std::invalid_argument("the optimizer is none of SGD, Adam, AdamW, RMSprop and Adagrad");
}

template <class T, class... Others>
concept OneOf = (std::same_as<std::remove_const_t<T>, Others> || ...);

/// Calls `visit` with each option that C++ has, by its name and in the order of Python.
template <class Options, class Visit>
void each_option(Options& of, const Visit& visit) {
  namespace o = torch::optim;
  visit("lr", of.lr());
  if constexpr (OneOf<Options, o::AdamOptions, o::AdamWOptions>) {
    visit("betas", of.betas());
    visit("eps", of.eps());
    visit("weight_decay", of.weight_decay());
    visit("amsgrad", of.amsgrad());
  } else if constexpr (OneOf<Options, o::SGDOptions>) {
    visit("momentum", of.momentum());
    visit("dampening", of.dampening());
    visit("weight_decay", of.weight_decay());
    visit("nesterov", of.nesterov());
  } else if constexpr (OneOf<Options, o::RMSpropOptions>) {
    visit("momentum", of.momentum());
    visit("alpha", of.alpha());
    visit("eps", of.eps());
    visit("centered", of.centered());
    visit("weight_decay", of.weight_decay());
  } else {
    visit("lr_decay", of.lr_decay());
    visit("eps", of.eps());
    visit("weight_decay", of.weight_decay());
    visit("initial_accumulator_value", of.initial_accumulator_value());
  }
}

/// Calls `visit` with the parts of a parameter's state, by their names in Python.
template <class State, class Visit>
void each_part(State& of, const Visit& visit) {
  namespace o = torch::optim;
  if constexpr (!OneOf<State, o::SGDParamState>) visit("step", of.step());
  if constexpr (OneOf<State, o::AdamParamState, o::AdamWParamState>) {
    visit("exp_avg", of.exp_avg());
    visit("exp_avg_sq", of.exp_avg_sq());
    visit("max_exp_avg_sq", of.max_exp_avg_sq());
  } else if constexpr (OneOf<State, o::SGDParamState>) {
    visit("momentum_buffer", of.momentum_buffer());
  } else if constexpr (OneOf<State, o::RMSpropParamState>) {
    visit("square_avg", of.square_avg());
    visit("momentum_buffer", of.momentum_buffer());
    visit("grad_avg", of.grad_avg());
  } else {
    visit("sum", of.sum());
  }
}

/// Returns the options that only Python has, with the values that C++ runs with.
std::map<std::string, IValue> options_of_python(std::string_view name) {
  constexpr bool is_new = at_least(2, 0);
  const bool adam = name == "Adam", adamw = name == "AdamW", rmsprop = name == "RMSprop";
  std::map<std::string, IValue> options = {{"foreach", IValue()}, {"maximize", false}};
  if (is_new || adam || name == "SGD" || rmsprop) options["differentiable"] = false;
  if (adam || adamw || (rmsprop && at_least(2, 6))) options["capturable"] = false;
  if (adam || (is_new && !rmsprop)) options["fused"] = is_new ? IValue() : IValue(false);
  // Seen in 2.14 but not in 2.6.
  if (at_least(2, 7) && (adam || adamw)) options["decoupled_weight_decay"] = adamw;
  return options;
}

// ------------------------------------------------------------ steps

/// Returns the key of a parameter's state in an optimizer: a text or a pointer, depending on the release.
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

using States = std::remove_reference_t<decltype(std::declval<torch::optim::Optimizer&>().state())>;

auto& place_of(torch::optim::Optimizer& optimizer, const Tensor& parameter) {
  return optimizer.state()[key_of<States::key_type>(parameter)];
}

/// Returns the state of a parameter. `fill` makes the tensors of a new one.
template <class State, class Fill>
State& state_of(torch::optim::Optimizer& optimizer, const Tensor& parameter, const Fill& fill) {
  auto& place = place_of(optimizer, parameter);
  if (!place) {
    auto made = std::make_unique<State>();
    fill(*made);
    place = std::move(made);
  }
  return static_cast<State&>(*place);
}

bool has_sparse_gradient(const torch::optim::Optimizer& optimizer) {
  for (const auto& group : optimizer.param_groups()) {
    for (const auto& parameter : group.params())
      if (parameter.grad().defined() && parameter.grad().is_sparse()) return true;
  }
  return false;
}

/// Python computes with the real and the imaginary parts of complex numbers.
Tensor as_real(const Tensor& tensor) { return tensor.is_complex() ? at::view_as_real(tensor) : tensor; }

/// Returns a parameter's gradient, with the parameter times `decay` added.
Tensor decayed_gradient(const Tensor& parameter, double decay) {
  return as_real(decay == 0 ? parameter.grad() : parameter.grad().add(parameter, decay));
}

/// Returns the result of a closure; undefined if there is none.
Tensor loss_of(const torch::optim::Optimizer::LossClosure& closure) {
  const at::AutoGradMode enabled(true);
  return closure == nullptr ? Tensor() : closure();
}

/// Calls `change` for each parameter that has a gradient, with its options.
template <class Options, class Change>
Tensor step_of(torch::optim::Optimizer& optimizer, const torch::optim::Optimizer::LossClosure& closure,
               std::string_view name, const Change& change) {
  Tensor loss = loss_of(closure);
  TORCH_CHECK(!has_sparse_gradient(optimizer), name, " does not support sparse gradients");
  const at::NoGradGuard no_grad;
  for (auto& group : optimizer.param_groups()) {
    const auto& options = static_cast<const Options&>(group.options());
    for (auto& parameter : group.params())
      if (parameter.grad().defined()) change(parameter, options);
  }
  return loss;
}

void move_mean(const Tensor& mean, const Tensor& gradient, double beta) {
  if constexpr (at_least(2, 1)) {  // pytorch/pytorch #104796
    mean.lerp_(gradient, 1 - beta);
  } else {
    mean.mul_(beta).add_(gradient, 1 - beta);
  }
}

/// Python's `correction2 ** 0.5`, or its square root, which may differ in the last bit.
double root_of(double correction) {
  return at_least(2, 6) ? std::pow(correction, 0.5) : std::sqrt(correction);
}

/// Returns a function that changes a parameter by the operations of Adam, or of AdamW.
template <class Options, class State>
auto adam_change(torch::optim::Optimizer& optimizer, bool decoupled) {
  return [&optimizer, decoupled](Tensor& whole, const Options& options) {
    auto& state = state_of<State>(optimizer, whole, [&](State& made) {
      made.exp_avg(at::zeros_like(whole));
      made.exp_avg_sq(at::zeros_like(whole));
      if (options.amsgrad()) made.max_exp_avg_sq(at::zeros_like(whole));
    });
    const double decay = options.weight_decay();
    if (decoupled) whole.mul_(1 - options.lr() * decay);
    auto parameter = as_real(whole);
    const auto gradient = decayed_gradient(whole, decoupled ? 0 : decay);
    const auto [beta1, beta2] = options.betas();
    state.step(state.step() + 1);
    const auto mean = as_real(state.exp_avg());
    auto squares = as_real(state.exp_avg_sq());
    move_mean(mean, gradient, beta1);
    squares.mul_(beta2).addcmul_(gradient, gradient, 1 - beta2);
    if (options.amsgrad()) {
      auto most = as_real(state.max_exp_avg_sq());
      at::maximum_out(most, most, squares);
      squares = most;
    }
    const auto steps = static_cast<double>(state.step());
    const double correction1 = 1 - std::pow(beta1, steps), correction2 = 1 - std::pow(beta2, steps);
    const auto root = (squares.sqrt() / root_of(correction2)).add_(options.eps());
    parameter.addcdiv_(mean, root, -(options.lr() / correction1));
  };
}

void change_by_rmsprop(torch::optim::Optimizer& optimizer, Tensor& whole,
                       const torch::optim::RMSpropOptions& options) {
  using State = torch::optim::RMSpropParamState;
  auto& state = state_of<State>(optimizer, whole, [&](State& made) {
    made.square_avg(at::zeros_like(whole));
    if (options.momentum() > 0) made.momentum_buffer(at::zeros_like(whole));
    if (options.centered()) made.grad_avg(at::zeros_like(whole));
  });
  auto parameter = as_real(whole);
  const auto gradient = decayed_gradient(whole, options.weight_decay());
  state.step(state.step() + 1);
  auto squares = as_real(state.square_avg());
  squares.mul_(options.alpha()).addcmul_(gradient, gradient, 1 - options.alpha());
  Tensor root;
  if (options.centered()) {
    const auto mean = as_real(state.grad_avg());
    move_mean(mean, gradient, options.alpha());
    root = squares.addcmul(mean, mean, -1).sqrt_();
  } else {
    root = squares.sqrt();
  }
  root.add_(options.eps());
  if (options.momentum() > 0) {
    auto buffer = as_real(state.momentum_buffer());
    buffer.mul_(options.momentum()).addcdiv_(gradient, root);
    parameter.add_(buffer, -options.lr());
  } else {
    parameter.addcdiv_(gradient, root, -options.lr());
  }
}

void change_by_adagrad(torch::optim::Optimizer& optimizer, Tensor& whole,
                       const torch::optim::AdagradOptions& options) {
  using State = torch::optim::AdagradParamState;
  auto& state = state_of<State>(optimizer, whole, [&](State& made) { made.sum(at::zeros_like(whole)); });
  const double first = options.initial_accumulator_value();
  if (state.step() == 0 && whole.is_complex()) as_real(state.sum()).fill_(first);
  auto parameter = as_real(whole);
  const auto gradient = decayed_gradient(whole, options.weight_decay());
  state.step(state.step() + 1);
  const double rate = options.lr() / (1 + (static_cast<double>(state.step()) - 1) * options.lr_decay());
  auto sum = as_real(state.sum());
  sum.addcmul_(gradient, gradient, 1);
  parameter.addcdiv_(gradient, sum.sqrt().add_(options.eps()), -rate);
}

// ------------------------------------------------------------ state

/// An int that is a default in Python stays one: `weight_decay=0`.
IValue value_of(std::string_view name, double value) {
  const bool may_be_int = name != "lr" && name != "eps" && name != "alpha";
  return may_be_int && value == 0 ? IValue(0) : IValue(value);
}
IValue value_of(std::string_view /*name*/, bool value) { return value; }
IValue value_of(std::string_view /*name*/, const std::tuple<double, double>& value) { return value; }

/// Returns the options of a group as Python has them, in Python's order, without the parameters.
std::vector<std::pair<std::string, IValue>> options_of(const torch::optim::Optimizer& optimizer,
                                                       std::size_t number) {
  std::vector<std::pair<std::string, IValue>> options;
  with_kind(optimizer, [&](auto kind) {
    using Options = typename decltype(kind)::Options;
    each_option(
        static_cast<const Options&>(optimizer.param_groups()[number].options()),
        [&](const char* name, const auto& value) { options.emplace_back(name, value_of(name, value)); });
    for (const auto& [name, value] : options_of_python(kind.name)) options.emplace_back(name, value);
  });
  const auto* scheduled = dynamic_cast<const detail::ScheduledGroups*>(&optimizer);
  if (scheduled != nullptr && number < scheduled->added.size())
    for (const auto& [name, value] : scheduled->added[number]) options.emplace_back(name, value);
  return options;
}

constexpr const char* no_fit = "the state does not fit the optimizer";

[[noreturn]] void refuse(const std::string& why) { throw std::runtime_error(why); }

[[noreturn]] void refuse_option(const std::string& name) {
  refuse("it sets " + name + ", which C++ does not have");
}

/// Returns an item of a dict. `of` names the dict in messages.
IValue item(const PythonDict& dict, const std::string& key, const std::string& of) {
  const auto found = dict.find(key);
  if (found == dict.end()) refuse(of + " has no " + key);
  return found->value();
}

/// Returns the state of a parameter in Python's form; undefined parts are left out.
template <class State>
PythonDict python_state(std::string_view name, const State& state) {
  auto dict = new_dict();
  each_part(state, [&](const char* part, const auto& value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(value)>, Tensor>) {
      if (value.defined()) dict.insert(part, value);
    } else {
      const bool is_int = name == "RMSprop" && !at_least(2, 0);
      dict.insert(part,
                  is_int ? IValue(value) : IValue(at::scalar_tensor(static_cast<double>(value), at::kFloat)));
    }
  });
  return dict;
}

/// Reads the state of a parameter from Python's form. `what` names it in messages.
template <class State>
std::unique_ptr<State> read_state(const Tensor& parameter, const PythonDict& dict, const std::string& what) {
  auto state = std::make_unique<State>();
  each_part(*state, [&](const std::string& name, auto& part) {
    const auto found = dict.find(name);
    if (found == dict.end() || found->value().isNone()) {
      if (name == "momentum_buffer" || name == "max_exp_avg_sq" || name == "grad_avg")
        return;  // by an option
      refuse(what + " has no " + name);
    }
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Tensor>) {
      if (!found->value().isTensor()) refuse(name + " of " + what + " is not a tensor");
      const auto tensor = found->value().toTensor();
      if (tensor.sizes() != parameter.sizes()) {
        refuse(name + " of " + what + " has the sizes " + pyrepr::repr(pyrepr::shape(tensor)) +
               ", and the parameter " + pyrepr::repr(pyrepr::shape(parameter)));
      }
      part =
          tensor.detach().to(parameter.options().requires_grad(false), /*non_blocking=*/false, /*copy=*/true);
    } else {
      read(part, found->value(), name + " of " + what);
    }
  });
  return state;
}

/// Whether a state has nothing but None, as that of SGD without momentum.
bool is_empty(const PythonDict& state) {
  return std::all_of(state.begin(), state.end(), [](const auto& each) { return each.value().isNone(); });
}

/// A state that is read and fits, before it is set.
struct Read {
  std::vector<std::unique_ptr<torch::optim::OptimizerOptions>> options{};
  std::vector<std::map<std::string, double>> added{};
  std::vector<std::pair<Tensor, std::unique_ptr<torch::optim::OptimizerParamState>>> states{};
};

/// Reads the options of a group, and what schedulers added to them.
template <class Kind>
void read_options(Kind kind, const PythonDict& given, typename Kind::Options& options, Read& into) {
  std::set<std::string> known = {"params"};
  each_option(options, [&](const std::string& name, auto& option) {
    read(option, item(given, name, "a group of parameters"), name);
    known.insert(name);
  });
  for (const auto& [name, value] : options_of_python(kind.name)) {
    known.insert(name);
    const auto found = given.find(name);
    const bool chooses_kernels = name == "fused" || name == "foreach" || name == "capturable";
    if (found == given.end() || found->value().isNone() || chooses_kernels) continue;
    if ((number_of(found->value(), name) != 0) != (value.isBool() && value.toBool())) refuse_option(name);
  }
  auto& added = into.added.emplace_back();
  for (const auto& entry : given) {
    const auto name = entry.key().isString() ? entry.key().toStringRef() : "";
    const auto& value = entry.value();
    if (known.contains(name)) continue;
    if (value.isDouble() || value.isInt()) added[name] = value.toScalar().toDouble();
    const bool decouples = name == "decoupled_weight_decay" && kind.name == "AdamW";
    if (value.isBool() && value.toBool() && !decouples) refuse_option(name);
  }
}

template <class Kind>
Read read_whole(Kind kind, torch::optim::Optimizer& optimizer, const IValue& state) {
  const auto whole = dict_of(state, "it");
  const auto states = dict_of(item(whole, "state", "it"), "its state");
  const auto given = list_of(item(whole, "param_groups", "it"), "param_groups");
  const auto& groups = optimizer.param_groups();
  if (given.size() != groups.size()) {
    refuse("it has " + std::to_string(given.size()) + " groups of parameters, and the optimizer " +
           std::to_string(groups.size()));
  }
  Read result;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto group = dict_of(given[i], "a group of parameters");
    const auto ids = list_of(item(group, "params", "a group"), "params");
    if (ids.size() != groups[i].params().size()) {
      refuse("its group " + std::to_string(i) + " has " + std::to_string(ids.size()) +
             " parameters, and that of the optimizer " + std::to_string(groups[i].params().size()));
    }
    auto options = groups[i].options().clone();
    read_options(kind, group, static_cast<typename Kind::Options&>(*options), result);
    result.options.push_back(std::move(options));
    for (std::size_t j = 0; j < ids.size(); ++j) {
      const auto& parameter = groups[i].params()[j];
      const auto found = states.find(ids[j]);
      if (found == states.end() || is_empty(dict_of(found->value(), "a state"))) continue;
      const auto what = "the state of parameter " + pyrepr::repr(ids[j]);
      result.states.emplace_back(
          parameter, read_state<typename Kind::State>(parameter, found->value().toGenericDict(), what));
    }
  }
  return result;
}

}  // namespace

Tensor Adam::step(LossClosure closure) {
  using Options = torch::optim::AdamOptions;
  return step_of<Options>(*this, closure, "Adam",
                          adam_change<Options, torch::optim::AdamParamState>(*this, false));
}

Tensor AdamW::step(LossClosure closure) {
  using Options = torch::optim::AdamWOptions;
  return step_of<Options>(*this, closure, "AdamW",
                          adam_change<Options, torch::optim::AdamWParamState>(*this, true));
}

Tensor RMSprop::step(LossClosure closure) {
  using Options = torch::optim::RMSpropOptions;
  return step_of<Options>(*this, closure, "RMSprop", [this](Tensor& parameter, const Options& options) {
    change_by_rmsprop(*this, parameter, options);
  });
}

Tensor Adagrad::step(LossClosure closure) {
  Tensor loss = loss_of(closure);  // the closure may make sparse gradients
  using Options = torch::optim::AdagradOptions;
  if (has_sparse_gradient(*this)) {
    torch::optim::Adagrad::step(nullptr);
  } else {
    step_of<Options>(*this, nullptr, "Adagrad", [this](Tensor& parameter, const Options& options) {
      change_by_adagrad(*this, parameter, options);
    });
  }
  return loss;
}

IValue state_dict(const torch::optim::Optimizer& optimizer) {
  auto states = new_dict();
  auto groups = training::new_list();
  std::int64_t next = 0;
  with_kind(optimizer, [&](auto kind) {
    using State = typename decltype(kind)::State;
    for (std::size_t i = 0; i < optimizer.param_groups().size(); ++i) {
      auto group = new_dict();
      for (const auto& [name, value] : options_of(optimizer, i)) group.insert(name, value);
      auto params = training::new_list();
      for (const auto& parameter : optimizer.param_groups()[i].params()) {
        const auto found = optimizer.state().find(key_of<States::key_type>(parameter));
        if (found != optimizer.state().end())
          states.insert(next, python_state(kind.name, static_cast<const State&>(*found->second)));
        params.push_back(next++);
      }
      group.insert("params", params);
      groups.push_back(group);
    }
  });
  auto whole = new_dict();
  whole.insert("state", states);
  whole.insert("param_groups", groups);
  return whole;
}

void load_state_dict(torch::optim::Optimizer& optimizer, const IValue& state) {
  auto read = with_kind(optimizer, [&](auto kind) {
    return training::with_place(no_fit, [&] { return read_whole(kind, optimizer, state); });
  });
  for (std::size_t i = 0; i < read.options.size(); ++i)
    optimizer.param_groups()[i].set_options(std::move(read.options[i]));
  if (auto* scheduled = dynamic_cast<detail::ScheduledGroups*>(&optimizer))
    scheduled->added = std::move(read.added);
  optimizer.state().clear();
  for (auto& [parameter, its_state] : read.states) place_of(optimizer, parameter) = std::move(its_state);
}

void set_state(torch::optim::Optimizer& optimizer, const Tensor& parameter, const IValue& state) {
  with_kind(optimizer, [&](auto kind) {
    using State = typename decltype(kind)::State;
    place_of(optimizer, parameter) = training::with_place(no_fit, [&] {
      return read_state<State>(parameter, dict_of(state, "it"), "the state of a parameter");
    });
  });
}

std::string repr(const torch::optim::Optimizer& optimizer) {
  const auto name = with_kind(optimizer, [](auto kind) { return std::string(kind.name); });
  std::string text = name + " (";
  for (std::size_t i = 0; i < optimizer.param_groups().size(); ++i) {
    text += "\nParameter Group " + std::to_string(i) + "\n";
    const auto options = options_of(optimizer, i);
    for (const auto& [option, value] : std::map<std::string, IValue>(options.begin(), options.end()))
      text += "    " + option + ": " + pyrepr::repr(value) + "\n";
  }
  return text + ")";
}

void zero_grad(torch::optim::Optimizer& optimizer, bool set_to_none) {
  for (auto& group : optimizer.param_groups()) {
    for (auto& parameter : group.params()) {
      if (set_to_none) {
        parameter.mutable_grad().reset();
      } else if (parameter.grad().defined()) {
        parameter.mutable_grad().detach_().zero_();
      }
    }
  }
}

}  // namespace torchbook::optim::inline v1
