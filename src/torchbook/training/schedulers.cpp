// Computes each rate by the expression of Python's torch/optim/lr_scheduler.py, in its order.
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>
#include <torchbook/training/python_values.h>
#include <torchbook/training/schedulers.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace torchbook::optim::inline v1 {
namespace {

using c10::IValue;
using detail::SchedulerState;

void require(bool fits, const std::string& why) {
  if (!fits) throw std::invalid_argument(why);
}

double cosine(double of) { return std::cos(std::numbers::pi * of); }

/// Python's `math.cos(math.pi * a / b)`.
double cosine_of(std::int64_t a, std::int64_t b) {
  return std::cos(std::numbers::pi * static_cast<double>(a) / static_cast<double>(b));
}

/// Returns the momentum of a group, or the first beta; nullptr if its optimizer has neither.
double* momentum_of(torch::optim::OptimizerOptions& options) {
  if (auto* sgd = dynamic_cast<torch::optim::SGDOptions*>(&options)) return &sgd->momentum();
  if (auto* rmsprop = dynamic_cast<torch::optim::RMSpropOptions*>(&options)) return &rmsprop->momentum();
  if (auto* adam = dynamic_cast<torch::optim::AdamOptions*>(&options)) return &std::get<0>(adam->betas());
  if (auto* adamw = dynamic_cast<torch::optim::AdamWOptions*>(&options)) return &std::get<0>(adamw->betas());
  return nullptr;
}

std::vector<double> rates_of(const torch::optim::Optimizer& optimizer) {
  std::vector<double> rates;
  for (const auto& group : optimizer.param_groups()) rates.push_back(group.options().get_lr());
  return rates;
}

}  // namespace

// ------------------------------------------------------------ state

/// Reads, checks or writes the attributes of a scheduler by their names in Python. Attributes that a given
/// state lacks, as those of Python's other releases do, stay as they are. Throws std::runtime_error if one
/// does not fit.
class detail::SchedulerState {
 public:
  /// Writes a new dict.
  SchedulerState() = default;
  /// Reads a dict that state_dict() or Python's `scheduler.state_dict()` returned, or only checks it.
  SchedulerState(const IValue& state, bool only_checks)
      : writes_(false), only_checks_(only_checks), dict_(training::dict_of(state, "it")) {
    if (!dict_.contains("last_epoch")) throw std::runtime_error("it has no last_epoch");
  }

  template <class T>
  void operator()(const std::string& name, T& value) {
    operator()(
        name, value, [](const T&) { return true; }, "");
  }
  /// Demands more of a given value than its type: `what`, which `fits` checks.
  template <class T, class Fits>
  void operator()(const std::string& name, T& value, const Fits& fits, const std::string& what) {
    if (writes_) return dict_.insert_or_assign(name, training::python_of(value)), void();
    const auto place = dict_.find(name);
    if (place == dict_.end()) return;
    T given = value;
    training::read(given, place->value(), name);
    if (!fits(given)) throw std::runtime_error(name + " is not " + what);
    if (!only_checks_) value = std::move(given);
  }
  void positive(const std::string& name, std::int64_t& value) {
    operator()(
        name, value, [](auto given) { return given > 0; }, "positive");
  }
  /// For what a scheduler cannot change: a given value must be the same.
  template <class T>
  void same(const std::string& name, T value) {
    operator()(
        name, value, [&](const T& given) { return given == value; }, "that of this scheduler");
  }
  /// The same for an item of each dict of a list. It is not written.
  void same(const std::string& name, const std::string& key, const std::vector<double>& values) {
    std::vector<double> given;
    if (writes_ || !dict_.contains(name)) return;
    for (const auto& item : training::list_of(dict_.at(name), name)) {
      const auto dict = training::dict_of(item, "an item of " + name);
      if (dict.contains(key)) given.push_back(training::number_of(dict.at(key), key));
    }
    if (given != values) throw std::runtime_error(name + " is not that of this scheduler");
  }
  void operator()(const std::string& name, std::vector<std::reference_wrapper<LRScheduler>>& schedulers) {
    auto states = training::new_list();
    if (writes_) {
      for (LRScheduler& each : schedulers) states.push_back(each.state_dict());
      dict_.insert_or_assign(name, states);
    } else if (dict_.contains(name)) {
      const auto given = training::list_of(dict_.at(name), name);
      if (given.size() != schedulers.size())
        throw std::runtime_error(name + " is not a list of " + std::to_string(schedulers.size()));
      for (std::size_t i = 0; i < given.size(); ++i) {
        SchedulerState state(given[i], only_checks_);
        schedulers[i].get().all_attributes(state);
      }
    }
  }
  IValue dict() const { return dict_; }

 private:
  bool writes_ = true, only_checks_ = false;
  training::PythonDict dict_ = training::new_dict();
};

namespace {

/// Lets `visit` check a state, and then read it, so nothing is set if it does not fit.
template <class Visit>
void load(const IValue& given, const Visit& visit) {
  training::with_place("the state does not fit the scheduler", [&] {
    for (const bool only_checks : {true, false}) {
      SchedulerState state(given, only_checks);
      visit(state);
    }
  });
}

/// Returns the state that `visit` writes.
template <class Visit>
IValue saved(const Visit& visit) {
  SchedulerState state;
  visit(state);
  return state.dict();
}

}  // namespace

void LRScheduler::all_attributes(SchedulerState& state) {
  std::int64_t steps = step_count_;
  state("base_lrs", base_lrs_);
  state("last_epoch", last_epoch_);
  state("_step_count", steps);
  state("_last_lr", last_lr_);
  each_attribute(state);
  step_count_ = static_cast<unsigned>(steps);
}

IValue LRScheduler::state_dict() {
  return saved([this](SchedulerState& state) { all_attributes(state); });
}

void LRScheduler::load_state_dict(const IValue& state) {
  load(state, [this](SchedulerState& each) { all_attributes(each); });
}

// ------------------------------------------------------------ the base

LRScheduler::LRScheduler(torch::optim::Optimizer& optimizer)
    : torch::optim::LRScheduler(optimizer), optimizer_(optimizer) {
  added().resize(optimizer.param_groups().size());
  last_lr_ = base_lrs_ = rates_of(optimizer_);
  for (std::size_t i = 0; i < added().size(); ++i) added()[i].try_emplace("initial_lr", base_lrs_[i]);
}

std::vector<std::map<std::string, double>>& LRScheduler::added() const {
  auto* const keeps = dynamic_cast<detail::ScheduledGroups*>(&optimizer_);
  return keeps == nullptr ? own_added_ : keeps->added;
}

void LRScheduler::begin() {
  for (std::size_t i = 0; i < base_lrs_.size(); ++i) base_lrs_[i] = added()[i].at("initial_lr");
  step();
}

void LRScheduler::require_groups() const {
  const auto count = optimizer_.param_groups().size();
  if (count != base_lrs_.size())
    throw std::runtime_error("the optimizer has " + std::to_string(count) +
                             " groups of parameters, and its scheduler was made for " +
                             std::to_string(base_lrs_.size()) + "; make it after add_param_group()");
}

std::vector<double> LRScheduler::get_lrs() {
  require_groups();
  advance();
  auto rates = rates_of(optimizer_);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    rates[i] = rate({.number = i, .last = rates[i], .base = base_lrs_[i]});
    set_more(i);
  }
  last_lr_ = rates;
  return rates;
}

void LRScheduler::restart() {
  require_groups();
  last_epoch_ = -1;
  advance();
  for (std::size_t i = 0; i < last_lr_.size(); ++i) {
    auto& options = optimizer_.param_groups()[i].options();
    options.set_lr(first_rate({.number = i, .last = options.get_lr(), .base = base_lrs_[i]}));
    set_more(i);
  }
  last_lr_ = rates_of(optimizer_);
}

// ------------------------------------------------------------ the schedulers

StepLR::StepLR(torch::optim::Optimizer& optimizer, std::int64_t step_size, double gamma)
    : LRScheduler(optimizer), step_size_(step_size), gamma_(gamma) {
  require(step_size > 0, "StepLR: step_size must be positive, and is " + std::to_string(step_size));
  begin();
}

double StepLR::rate(const Group& group) const {
  return last_epoch() == 0 || last_epoch() % step_size_ != 0 ? group.last : group.last * gamma_;
}

void StepLR::each_attribute(SchedulerState& state) {
  state.positive("step_size", step_size_);
  state("gamma", gamma_);
}

MultiStepLR::MultiStepLR(torch::optim::Optimizer& optimizer, const std::vector<std::int64_t>& milestones,
                         double gamma)
    : LRScheduler(optimizer), gamma_(gamma) {
  for (const auto milestone : milestones) ++milestones_[milestone];
  begin();
}

double MultiStepLR::rate(const Group& group) const {
  const auto found = milestones_.find(last_epoch());
  if (found == milestones_.end()) return group.last;
  return group.last * std::pow(gamma_, static_cast<double>(found->second));
}

void MultiStepLR::each_attribute(SchedulerState& state) {
  state("milestones", milestones_);
  state("gamma", gamma_);
}

LambdaLR::LambdaLR(torch::optim::Optimizer& optimizer, std::function<double(std::int64_t)> lr_lambda)
    : LRScheduler(optimizer), lr_lambda_(std::move(lr_lambda)) {
  begin();
}

double LambdaLR::rate(const Group& group) const { return group.base * lr_lambda_(last_epoch()); }

ExponentialLR::ExponentialLR(torch::optim::Optimizer& optimizer, double gamma)
    : LRScheduler(optimizer), gamma_(gamma) {
  begin();
}

double ExponentialLR::rate(const Group& group) const {
  return last_epoch() == 0 ? group.last : group.last * gamma_;
}

void ExponentialLR::each_attribute(SchedulerState& state) { state("gamma", gamma_); }

LinearLR::LinearLR(torch::optim::Optimizer& optimizer, double start_factor, double end_factor,
                   std::int64_t total_iters)
    : LRScheduler(optimizer),
      start_factor_(start_factor),
      end_factor_(end_factor),
      total_iters_(total_iters) {
  require(start_factor > 0 && start_factor <= 1, "LinearLR: start_factor must be above 0 and at most 1");
  require(end_factor >= 0 && end_factor <= 1, "LinearLR: end_factor must be between 0 and 1");
  begin();
}

double LinearLR::rate(const Group& group) const {
  if (last_epoch() == 0) return group.last * start_factor_;
  if (last_epoch() > total_iters_) return group.last;
  const double way = end_factor_ - start_factor_;
  return group.last * (1.0 + way / (static_cast<double>(total_iters_) * start_factor_ +
                                    static_cast<double>(last_epoch() - 1) * way));
}

double LinearLR::first_rate(const Group& group) const { return group.base * start_factor_; }

void LinearLR::each_attribute(SchedulerState& state) {
  state("start_factor", start_factor_);
  state("end_factor", end_factor_);
  state("total_iters", total_iters_);
}

CosineAnnealingLR::CosineAnnealingLR(torch::optim::Optimizer& optimizer, std::int64_t T_max, double eta_min)
    : LRScheduler(optimizer), most_(T_max), least_(eta_min) {
  require(T_max > 0, "CosineAnnealingLR: T_max must be positive, and is " + std::to_string(T_max));
  begin();
}

double CosineAnnealingLR::rate(const Group& group) const {
  if (last_epoch() == 0) return group.last;
  if ((last_epoch() - 1 - most_) % (2 * most_) == 0)
    return group.last +
           (group.base - least_) * (1 - std::cos(std::numbers::pi / static_cast<double>(most_))) / 2;
  return (1 + cosine_of(last_epoch(), most_)) / (1 + cosine_of(last_epoch() - 1, most_)) *
             (group.last - least_) +
         least_;
}

double CosineAnnealingLR::first_rate(const Group& group) const {
  return least_ + (group.base - least_) * 2 / 2;
}

void CosineAnnealingLR::each_attribute(SchedulerState& state) {
  state.positive("T_max", most_);
  state("eta_min", least_);
}

CosineAnnealingWarmRestarts::CosineAnnealingWarmRestarts(torch::optim::Optimizer& optimizer, std::int64_t T_0,
                                                         std::int64_t T_mult, double eta_min)
    : LRScheduler(optimizer), first_(T_0), longer_(T_mult), length_(T_0), least_(eta_min) {
  require(T_0 > 0, "CosineAnnealingWarmRestarts: T_0 must be positive, and is " + std::to_string(T_0));
  require(T_mult >= 1, "CosineAnnealingWarmRestarts: T_mult must be at least 1");
  begin();
}

void CosineAnnealingWarmRestarts::advance() {
  const bool begins = last_epoch() < 0;
  LRScheduler::advance();
  current_ = begins ? 0 : current_ + 1;
  if (begins) length_ = first_;
  if (current_ < length_) return;
  current_ -= length_;
  length_ *= longer_;
}

double CosineAnnealingWarmRestarts::rate(const Group& group) const {
  return least_ + (group.base - least_) * (1 + cosine_of(current_, length_)) / 2;
}

void CosineAnnealingWarmRestarts::each_attribute(SchedulerState& state) {
  state.positive("T_0", first_);
  state.positive("T_i", length_);
  state.positive("T_mult", longer_);
  state("eta_min", least_);
  state("T_cur", current_);
}

// ------------------------------------------------------------ OneCycleLR

OneCycleLR::OneCycleLR(torch::optim::Optimizer& optimizer, OneCycleLROptions options)
    : LRScheduler(optimizer), options_(std::move(options)) {
  const auto& o = options_;
  require(o.total_steps() > 0,
          "OneCycleLR: total_steps must be positive, and is " + std::to_string(o.total_steps()));
  require(o.pct_start() >= 0 && o.pct_start() <= 1, "OneCycleLR: pct_start must be between 0 and 1");
  require(o.anneal_strategy() == "cos" || o.anneal_strategy() == "linear",
          "OneCycleLR: anneal_strategy must be cos or linear, and is " + o.anneal_strategy());
  const auto steps = static_cast<double>(o.total_steps());
  phases_.push_back({o.pct_start() * steps - 1, "initial_lr", "max_lr", "max_momentum", "base_momentum"});
  if (o.three_phase()) {
    phases_.push_back(
        {2 * o.pct_start() * steps - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum"});
    phases_.push_back({steps - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum"});
  } else {
    phases_.push_back({steps - 1, "max_lr", "min_lr", "base_momentum", "max_momentum"});
  }
  for (std::size_t i = 0; i < added().size(); ++i) {
    const double first = o.max_lr() / o.div_factor();
    added()[i].insert_or_assign("initial_lr", first);
    added()[i].insert_or_assign("max_lr", o.max_lr());
    added()[i].insert_or_assign("min_lr", first / o.final_div_factor());
    if (!o.cycle_momentum()) continue;
    auto* const momentum = momentum_of(optimizer.param_groups()[i].options());
    require(momentum != nullptr,
            "OneCycleLR: the optimizer has no momentum or beta; set cycle_momentum(false)");
    *momentum = o.max_momentum();
    added()[i].insert_or_assign("max_momentum", o.max_momentum());
    added()[i].insert_or_assign("base_momentum", o.base_momentum());
  }
  begin();
}

double OneCycleLR::between(std::size_t group, const char* first, const char* last, double part) const {
  const auto& values = added()[group];
  if (!values.contains(first) || !values.contains(last))
    throw std::runtime_error("OneCycleLR: the optimizer's state was saved before it had this scheduler");
  const double from = values.at(first), to = values.at(last);
  if (options_.anneal_strategy() == "linear") return (to - from) * part + from;
  return to + (from - to) / 2.0 * (cosine(part) + 1);
}

std::pair<OneCycleLR::Phase, double> OneCycleLR::phase() const {
  const auto step = static_cast<double>(last_epoch());
  double start = 0;
  std::size_t i = 0;
  for (; i + 1 < phases_.size() && step > phases_[i].end; ++i) start = phases_[i].end;
  if (phases_[i].end == start)
    throw std::invalid_argument("OneCycleLR: a phase has no steps; change pct_start or total_steps");
  return {phases_[i], (step - start) / (phases_[i].end - start)};
}

void OneCycleLR::advance() {
  if (last_epoch() >= options_.total_steps())
    throw std::runtime_error("OneCycleLR: step() is called more often than total_steps, " +
                             std::to_string(options_.total_steps()));
  LRScheduler::advance();
}

double OneCycleLR::rate(const Group& group) const {
  const auto [phase, part] = this->phase();
  return between(group.number, phase.first_rate, phase.last_rate, part);
}

void OneCycleLR::set_more(std::size_t group) {
  if (!options_.cycle_momentum()) return;
  const auto [phase, part] = this->phase();
  *momentum_of(optimizer().param_groups()[group].options()) =
      between(group, phase.first_momentum, phase.last_momentum, part);
}

void OneCycleLR::each_attribute(SchedulerState& state) {
  std::vector<double> ends;
  for (const auto& phase : phases_) ends.push_back(phase.end);
  state.same("total_steps", options_.total_steps());
  state.same("_schedule_phases", "end_step", ends);
  state.same("_anneal_func_type", options_.anneal_strategy());
}

// ------------------------------------------------------------ SequentialLR

SequentialLR::SequentialLR(torch::optim::Optimizer& optimizer,
                           std::vector<std::reference_wrapper<LRScheduler>> schedulers,
                           std::vector<std::int64_t> milestones)
    : LRScheduler(optimizer), schedulers_(std::move(schedulers)), milestones_(std::move(milestones)) {
  require(milestones_.size() + 1 == schedulers_.size(),
          "SequentialLR: it takes one scheduler more than milestones; there are " +
              std::to_string(schedulers_.size()) + " and " + std::to_string(milestones_.size()));
  for (const LRScheduler& each : schedulers_)
    require(&each.optimizer_ == &optimizer, "SequentialLR: a scheduler belongs to another optimizer");
  require(dynamic_cast<detail::ScheduledGroups*>(&optimizer) != nullptr,
          "SequentialLR: it needs the initial rates, which only the optimizers of torchbook::optim keep");
  last_epoch_ = 0;
  for (std::size_t i = 0; i < added().size(); ++i)
    optimizer.param_groups()[i].options().set_lr(added()[i].at("initial_lr"));
  for (LRScheduler& each : schedulers_) --each.last_epoch_;
  LRScheduler& first = schedulers_.front();
  first.step();
  last_lr_ = first.get_last_lr();
}

std::size_t SequentialLR::place() const {
  return static_cast<std::size_t>(std::upper_bound(milestones_.begin(), milestones_.end(), last_epoch()) -
                                  milestones_.begin());
}

std::vector<double> SequentialLR::get_lrs() {
  advance();
  const auto at = place();
  LRScheduler& scheduler = schedulers_[at];
  if (at > 0 && milestones_[at - 1] == last_epoch()) {
    scheduler.restart();
  } else {
    scheduler.step();
  }
  return last_lr_ = scheduler.get_last_lr();
}

void SequentialLR::each_attribute(SchedulerState& state) {
  state("_milestones", milestones_);
  state("_schedulers", schedulers_);
}

// ------------------------------------------------------------ ReduceLROnPlateau

ReduceLROnPlateau::ReduceLROnPlateau(torch::optim::Optimizer& optimizer, ReduceLROnPlateauOptions options)
    : optimizer_(optimizer), options_(std::move(options)) {
  const auto& o = options_;
  require(o.factor() < 1, "ReduceLROnPlateau: factor must be less than 1");
  require(o.mode() == "min" || o.mode() == "max",
          "ReduceLROnPlateau: mode must be min or max, and is " + o.mode());
  require(o.threshold_mode() == "rel" || o.threshold_mode() == "abs",
          "ReduceLROnPlateau: threshold_mode must be rel or abs, and is " + o.threshold_mode());
  best_ = (o.mode() == "min" ? 1 : -1) * std::numeric_limits<double>::infinity();
  last_lr_ = rates_of(optimizer);
  min_lrs_.assign(last_lr_.size(), o.min_lr());
}

bool ReduceLROnPlateau::is_better(double number) const {
  const double threshold = options_.threshold();
  if (options_.mode() == "min")
    return number < (options_.threshold_mode() == "rel" ? best_ * (1.0 - threshold) : best_ - threshold);
  return number > (options_.threshold_mode() == "rel" ? best_ * (threshold + 1.0) : best_ + threshold);
}

void ReduceLROnPlateau::step(double metrics) {
  ++last_epoch_;
  const bool better = is_better(metrics);
  if (better) best_ = metrics;
  bad_epochs_ = better ? 0 : bad_epochs_ + 1;
  if (cooling_ > 0) {
    --cooling_;
    bad_epochs_ = 0;
  }
  const bool reduces = bad_epochs_ > options_.patience();
  if (reduces) {
    cooling_ = options_.cooldown();
    bad_epochs_ = 0;
  }
  for (std::size_t i = 0; i < last_lr_.size(); ++i) {
    auto& options = optimizer_.param_groups()[i].options();
    const double rate = options.get_lr(), next = std::max(rate * options_.factor(), min_lrs_[i]);
    if (reduces && rate - next > options_.eps()) options.set_lr(next);
    last_lr_[i] = options.get_lr();
  }
}

IValue ReduceLROnPlateau::state_dict() {
  return saved([this](SchedulerState& state) { each_attribute(state); });
}

void ReduceLROnPlateau::load_state_dict(const IValue& state) {
  load(state, [this](SchedulerState& each) { each_attribute(each); });
}

void ReduceLROnPlateau::each_attribute(SchedulerState& state) {
  const auto one_of = [](const std::string& one, const std::string& other) {
    return [=](const std::string& given) { return given == one || given == other; };
  };
  state("factor", options_.factor());
  state("min_lrs", min_lrs_);
  state("mode", options_.mode(), one_of("min", "max"), "min or max");
  state("threshold_mode", options_.threshold_mode(), one_of("rel", "abs"), "rel or abs");
  state("patience", options_.patience());
  state("cooldown", options_.cooldown());
  state("cooldown_counter", cooling_);
  state("threshold", options_.threshold());
  state("best", best_);
  state("num_bad_epochs", bad_epochs_);
  state("eps", options_.eps());
  state("last_epoch", last_epoch_);
  state("_last_lr", last_lr_);
}

}  // namespace torchbook::optim::inline v1
