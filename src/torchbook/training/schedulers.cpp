// Computes each rate by the expression of Python's torch/optim/lr_scheduler.py, in its order.
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/optim/rmsprop.h>
#include <torch/optim/sgd.h>
#include <torchbook/training/schedulers.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace torchbook::optim::inline v1 {
namespace {

using c10::IValue;

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

/// Returns the items of a list with as many as the scheduler has.
std::vector<IValue> items_of(const IValue& list, const char* name, std::size_t count) {
  const auto items = list.isList() ? list.toListRef().vec() : std::vector<IValue>{};
  if (items.size() != count)
    throw std::runtime_error("the state of a scheduler has a " + std::string(name) + " that is no list of " +
                             std::to_string(count));
  return items;
}

/// Lets `visit` check a state, and then read it, so nothing is set if it does not fit.
template <class Visit>
void load(const IValue& state, const Visit& visit) {
  for (const bool only_checks : {true, false}) {
    SchedulerFields fields(state, only_checks);
    visit(fields);
  }
}

}  // namespace

// ------------------------------------------------------------ state

SchedulerFields::SchedulerFields() : writes_(true), dict_(c10::AnyType::get(), c10::AnyType::get()) {}

SchedulerFields::SchedulerFields(const IValue& state, bool only_checks)
    : writes_(false), only_checks_(only_checks), dict_(c10::AnyType::get(), c10::AnyType::get()) {
  if (!state.isGenericDict()) throw std::runtime_error("the state of a scheduler is not a dict");
  dict_ = state.toGenericDict();
  if (!dict_.contains("last_epoch")) throw std::runtime_error("the state of a scheduler has no last_epoch");
}

const IValue* SchedulerFields::found(const char* name) {
  const auto place = dict_.find(name);
  if (place == dict_.end()) return nullptr;  // the class of Python's release does not have it
  last_ = place->value();
  return &last_;
}

c10::Scalar SchedulerFields::number(const char* name) const {
  if (!last_.isScalar())
    throw std::runtime_error("the state of a scheduler has a " + std::string(name) + " that is no number");
  return last_.toScalar();
}

void SchedulerFields::operator()(const char* name, std::int64_t& value) {
  if (writes_) return dict_.insert_or_assign(name, value), void();
  if (found(name) == nullptr) return;
  const auto given = number(name).toLong();
  if (!only_checks_) value = given;
}

void SchedulerFields::operator()(const char* name, double& value) {
  if (writes_) return dict_.insert_or_assign(name, value), void();
  if (found(name) == nullptr) return;
  const auto given = number(name).toDouble();
  if (!only_checks_) value = given;
}

void SchedulerFields::positive(const char* name, std::int64_t& value) {
  if (!writes_ && found(name) != nullptr && number(name).toLong() <= 0)
    throw std::runtime_error("the state of a scheduler has a " + std::string(name) + " that is not positive");
  (*this)(name, value);
}

void SchedulerFields::same(const char* name, std::int64_t value) {
  if (!writes_ && found(name) != nullptr && number(name).toLong() != value)
    throw std::runtime_error("the state belongs to a scheduler whose " + std::string(name) + " is not " +
                             std::to_string(value));
  if (writes_) (*this)(name, value);
}

void SchedulerFields::operator()(const char* name, std::vector<double>& values) {
  if (writes_) {
    c10::impl::GenericList list(c10::AnyType::get());
    for (const double value : values) list.push_back(value);
    dict_.insert_or_assign(name, list);
  } else if (const auto* given = found(name)) {
    const auto items = items_of(*given, name, values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      last_ = items[i];
      const double value = number(name).toDouble();
      if (!only_checks_) values[i] = value;
    }
  }
}

void SchedulerFields::operator()(const char* name,
                                 std::vector<std::reference_wrapper<LRScheduler>>& schedulers) {
  if (writes_) {
    c10::impl::GenericList list(c10::AnyType::get());
    for (LRScheduler& each : schedulers) list.push_back(each.state_dict());
    dict_.insert_or_assign(name, list);
  } else if (const auto* given = found(name)) {
    const auto items = items_of(*given, name, schedulers.size());
    for (std::size_t i = 0; i < items.size(); ++i) {
      SchedulerFields fields(items[i], only_checks_);
      schedulers[i].get().all_fields(fields);
    }
  }
}

void LRScheduler::all_fields(SchedulerFields& fields) {
  std::int64_t steps = step_count_;
  fields("base_lrs", base_lrs_);
  fields("last_epoch", last_epoch_);
  fields("_step_count", steps);
  fields("_last_lr", last_lr_);
  each_field(fields);
  step_count_ = static_cast<unsigned>(steps);
}

IValue LRScheduler::state_dict() {
  SchedulerFields fields;
  all_fields(fields);
  return fields.dict();
}

void LRScheduler::load_state_dict(const IValue& state) {
  load(state, [this](SchedulerFields& fields) { all_fields(fields); });
}

// ------------------------------------------------------------ the base

LRScheduler::LRScheduler(torch::optim::Optimizer& optimizer)
    : torch::optim::LRScheduler(optimizer), optimizer_(optimizer) {
  added().resize(optimizer.param_groups().size());
  last_lr_ = base_lrs_ = rates_of(optimizer_);
  for (std::size_t i = 0; i < added().size(); ++i) added()[i].try_emplace("initial_lr", base_lrs_[i]);
}

std::vector<std::map<std::string, double>>& LRScheduler::added() const {
  auto* const keeps = dynamic_cast<ScheduledGroups*>(&optimizer_);
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

void StepLR::each_field(SchedulerFields& fields) {
  fields.positive("step_size", step_size_);
  fields("gamma", gamma_);
}

MultiStepLR::MultiStepLR(torch::optim::Optimizer& optimizer, std::vector<std::int64_t> milestones,
                         double gamma)
    : LRScheduler(optimizer), milestones_(std::move(milestones)), gamma_(gamma) {
  begin();
}

double MultiStepLR::rate(const Group& group) const {
  const auto times = std::count(milestones_.begin(), milestones_.end(), last_epoch());
  return times == 0 ? group.last : group.last * std::pow(gamma_, static_cast<double>(times));
}

void MultiStepLR::each_field(SchedulerFields& fields) { fields("gamma", gamma_); }

LambdaLR::LambdaLR(torch::optim::Optimizer& optimizer, std::function<double(std::int64_t)> lr_lambda)
    : LRScheduler(optimizer), lr_lambda_(std::move(lr_lambda)) {
  begin();
}

double LambdaLR::rate(const Group& group) const { return group.base * lr_lambda_(last_epoch()); }

void LambdaLR::each_field(SchedulerFields& /*fields*/) {}

ExponentialLR::ExponentialLR(torch::optim::Optimizer& optimizer, double gamma)
    : LRScheduler(optimizer), gamma_(gamma) {
  begin();
}

double ExponentialLR::rate(const Group& group) const {
  return last_epoch() == 0 ? group.last : group.last * gamma_;
}

void ExponentialLR::each_field(SchedulerFields& fields) { fields("gamma", gamma_); }

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

void LinearLR::each_field(SchedulerFields& fields) {
  fields("start_factor", start_factor_);
  fields("end_factor", end_factor_);
  fields("total_iters", total_iters_);
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

void CosineAnnealingLR::each_field(SchedulerFields& fields) {
  fields.positive("T_max", most_);
  fields("eta_min", least_);
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

void CosineAnnealingWarmRestarts::each_field(SchedulerFields& fields) {
  fields.positive("T_0", first_);
  fields.positive("T_i", length_);
  fields.positive("T_mult", longer_);
  fields("eta_min", least_);
  fields("T_cur", current_);
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

void OneCycleLR::each_field(SchedulerFields& fields) { fields.same("total_steps", options_.total_steps()); }

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
  require(dynamic_cast<ScheduledGroups*>(&optimizer) != nullptr,
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

void SequentialLR::each_field(SchedulerFields& fields) { fields("_schedulers", schedulers_); }

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
    const double rate = options.get_lr(), next = std::max(rate * options_.factor(), options_.min_lr());
    if (reduces && rate - next > options_.eps()) options.set_lr(next);
    last_lr_[i] = options.get_lr();
  }
}

IValue ReduceLROnPlateau::state_dict() {
  SchedulerFields fields;
  each_field(fields);
  return fields.dict();
}

void ReduceLROnPlateau::load_state_dict(const IValue& state) {
  load(state, [this](SchedulerFields& fields) { each_field(fields); });
}

void ReduceLROnPlateau::each_field(SchedulerFields& fields) {
  fields("factor", options_.factor());
  fields("patience", options_.patience());
  fields("cooldown", options_.cooldown());
  fields("cooldown_counter", cooling_);
  fields("threshold", options_.threshold());
  fields("best", best_);
  fields("num_bad_epochs", bad_epochs_);
  fields("eps", options_.eps());
  fields("last_epoch", last_epoch_);
  fields("_last_lr", last_lr_);
}

}  // namespace torchbook::optim::inline v1
