// Learning rate schedulers like those of Python's torch.optim.lr_scheduler.
#pragma once

#include <ATen/core/ivalue.h>
#include <torch/optim/optimizer.h>
#include <torch/optim/schedulers/lr_scheduler.h>
#include <torchbook/training/optim.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#pragma GCC visibility push(default)
namespace torchbook::optim::inline v1 {

namespace detail {
class SchedulerState;
}

/// Sets the learning rates of an optimizer, which must outlive it, each time that step() is called. Like
/// Python's schedulers, it begins with the rates that the optimizer had before its first scheduler.
/// LibTorch's own optimizers do not keep those, so a second scheduler of one begins with the rates that it
/// finds.
///
/// All schedulers throw std::invalid_argument if an argument is out of range.
class LRScheduler : public torch::optim::LRScheduler {
 public:
  LRScheduler(const LRScheduler&) = delete;
  LRScheduler& operator=(const LRScheduler&) = delete;

  /// Returns the rate of each group of parameters, as this scheduler has set them.
  const std::vector<double>& get_last_lr() const { return last_lr_; }

  /// Returns the state as Python's `scheduler.state_dict()`, without functions.
  c10::IValue state_dict();
  /// Sets the state to one that state_dict() or Python's `scheduler.state_dict()` returned. Throws
  /// std::runtime_error, and changes nothing, if it does not fit.
  void load_state_dict(const c10::IValue& state);

 protected:
  explicit LRScheduler(torch::optim::Optimizer& optimizer);
  /// Sets the rates of the first epoch. The constructor of each class calls it.
  void begin();
  /// A group of parameters: its number, its rate in the previous epoch, and its initial rate.
  struct Group {
    std::size_t number;
    double last, base;
  };
  /// Returns the rate of a group in this epoch.
  virtual double rate(const Group& group) const = 0;
  /// Returns the rate with which SequentialLR begins.
  virtual double first_rate(const Group& group) const { return group.base; }
  /// Advances to the next epoch.
  virtual void advance() { ++last_epoch_; }
  /// Sets more than the rate of a group.
  virtual void set_more(std::size_t /*group*/) {}
  /// Passes the attributes of the class to `state`.
  virtual void each_attribute(detail::SchedulerState& /*state*/) {}

  std::vector<double> get_lrs() override;
  std::int64_t last_epoch() const { return last_epoch_; }
  torch::optim::Optimizer& optimizer() const { return optimizer_; }
  /// Returns what Python's schedulers added to the groups.
  std::vector<std::map<std::string, double>>& added() const;

 private:
  friend class SequentialLR;
  friend class detail::SchedulerState;
  void require_groups() const;
  void all_attributes(detail::SchedulerState& state);
  void restart();

  torch::optim::Optimizer& optimizer_;
  mutable std::vector<std::map<std::string, double>> own_added_{};  // for LibTorch's own optimizers
  std::vector<double> base_lrs_{}, last_lr_{};
  std::int64_t last_epoch_ = -1;
};

/// Multiplies the rate by `gamma` every `step_size` epochs.
class StepLR : public LRScheduler {
 public:
  StepLR(torch::optim::Optimizer& optimizer, std::int64_t step_size, double gamma = 0.1);

 private:
  double rate(const Group& group) const override;
  void each_attribute(detail::SchedulerState& state) override;
  std::int64_t step_size_;
  double gamma_;
};

/// Multiplies the rate by `gamma` in each epoch of `milestones`, as often as it is in them.
class MultiStepLR : public LRScheduler {
 public:
  MultiStepLR(torch::optim::Optimizer& optimizer, const std::vector<std::int64_t>& milestones,
              double gamma = 0.1);

 private:
  double rate(const Group& group) const override;
  void each_attribute(detail::SchedulerState& state) override;
  std::map<std::int64_t, std::int64_t> milestones_{};  // with how often each was given
  double gamma_;
};

/// Sets the rate of all groups to their initial rate times `lr_lambda(epoch)`, already before the first
/// epoch.
class LambdaLR : public LRScheduler {
 public:
  LambdaLR(torch::optim::Optimizer& optimizer, std::function<double(std::int64_t)> lr_lambda);

 private:
  double rate(const Group& group) const override;
  double first_rate(const Group& group) const override { return rate(group); }
  std::function<double(std::int64_t)> lr_lambda_;
};

/// Multiplies the rate by `gamma` every epoch.
class ExponentialLR : public LRScheduler {
 public:
  ExponentialLR(torch::optim::Optimizer& optimizer, double gamma);

 private:
  double rate(const Group& group) const override;
  void each_attribute(detail::SchedulerState& state) override;
  double gamma_;
};

/// Raises the rate in a line from `start_factor` to `end_factor` times the initial rate, in `total_iters`
/// epochs.
class LinearLR : public LRScheduler {
 public:
  explicit LinearLR(torch::optim::Optimizer& optimizer, double start_factor = 1.0 / 3,
                    double end_factor = 1.0, std::int64_t total_iters = 5);

 private:
  double rate(const Group& group) const override;
  double first_rate(const Group& group) const override;
  void each_attribute(detail::SchedulerState& state) override;
  double start_factor_, end_factor_;
  std::int64_t total_iters_;
};

/// Lets the rate follow half a cosine down to `eta_min`, which it reaches after `T_max` epochs.
class CosineAnnealingLR : public LRScheduler {
 public:
  CosineAnnealingLR(torch::optim::Optimizer& optimizer, std::int64_t T_max, double eta_min = 0);

 private:
  double rate(const Group& group) const override;
  double first_rate(const Group& group) const override;
  void each_attribute(detail::SchedulerState& state) override;
  std::int64_t most_;
  double least_;
};

/// Lets the rate follow half a cosine down to `eta_min` and begins again: after `T_0` epochs, and then after
/// `T_mult` times as many as before.
class CosineAnnealingWarmRestarts : public LRScheduler {
 public:
  CosineAnnealingWarmRestarts(torch::optim::Optimizer& optimizer, std::int64_t T_0, std::int64_t T_mult = 1,
                              double eta_min = 0);

 private:
  double rate(const Group& group) const override;
  double first_rate(const Group& group) const override { return rate(group); }
  void advance() override;
  void each_attribute(detail::SchedulerState& state) override;
  std::int64_t first_, longer_, current_ = -1, length_;
  double least_;
};

/// The arguments of Python's OneCycleLR, with its names. Numbers are for all groups of parameters, and
/// `epochs` times `steps_per_epoch` is `total_steps`.
struct OneCycleLROptions {
  OneCycleLROptions(double max_lr, std::int64_t total_steps) : max_lr_(max_lr), total_steps_(total_steps) {}

  TORCH_ARG(double, max_lr);
  TORCH_ARG(std::int64_t, total_steps);
  TORCH_ARG(double, pct_start) = 0.3;
  TORCH_ARG(std::string, anneal_strategy) = "cos";  // or "linear"
  TORCH_ARG(bool, cycle_momentum) = true;
  TORCH_ARG(double, base_momentum) = 0.85;
  TORCH_ARG(double, max_momentum) = 0.95;
  TORCH_ARG(double, div_factor) = 25.0;
  TORCH_ARG(double, final_div_factor) = 1e4;
  TORCH_ARG(bool, three_phase) = false;
};

/// Raises the rate to `max_lr` and lowers it again, once, in `total_steps` steps. Meanwhile the momentum of
/// SGD or RMSprop, or the first beta of Adam or AdamW, falls and rises. Its step() throws std::runtime_error
/// after the last step.
class OneCycleLR : public LRScheduler {
 public:
  OneCycleLR(torch::optim::Optimizer& optimizer, OneCycleLROptions options);

 private:
  struct Phase {
    double end;
    const char *first_rate, *last_rate, *first_momentum, *last_momentum;
  };
  /// Returns a value between those that a group has by these names.
  double between(std::size_t group, const char* first, const char* last, double part) const;
  std::pair<Phase, double> phase() const;
  double rate(const Group& group) const override;
  double first_rate(const Group& group) const override { return rate(group); }
  void set_more(std::size_t group) override;
  void advance() override;
  void each_attribute(detail::SchedulerState& state) override;
  OneCycleLROptions options_;
  std::vector<Phase> phases_{};
};

/// Runs the first scheduler up to the first milestone, then the second one, and so on. The schedulers must be
/// of the same optimizer and outlive it.
class SequentialLR : public LRScheduler {
 public:
  SequentialLR(torch::optim::Optimizer& optimizer,
               std::vector<std::reference_wrapper<LRScheduler>> schedulers,
               std::vector<std::int64_t> milestones);

 private:
  std::vector<double> get_lrs() override;
  double rate(const Group& group) const override { return group.last; }
  void each_attribute(detail::SchedulerState& state) override;
  std::size_t place() const;
  std::vector<std::reference_wrapper<LRScheduler>> schedulers_;
  std::vector<std::int64_t> milestones_;
};

/// The arguments of Python's ReduceLROnPlateau, with its names. `min_lr` is for all groups of parameters.
struct ReduceLROnPlateauOptions {
  TORCH_ARG(std::string, mode) = "min";  // or "max"
  TORCH_ARG(double, factor) = 0.1;
  TORCH_ARG(std::int64_t, patience) = 10;
  TORCH_ARG(double, threshold) = 1e-4;
  TORCH_ARG(std::string, threshold_mode) = "rel";  // or "abs"
  TORCH_ARG(std::int64_t, cooldown) = 0;
  TORCH_ARG(double, min_lr) = 0;
  TORCH_ARG(double, eps) = 1e-8;
};

/// Multiplies the rate by `factor` when a number has not improved for more than `patience` epochs.
class ReduceLROnPlateau {
 public:
  explicit ReduceLROnPlateau(torch::optim::Optimizer& optimizer, ReduceLROnPlateauOptions options = {});

  /// Takes the number of an epoch, such as the loss on the validation set.
  void step(double metrics);
  /// Returns the rate of each group of parameters, as this scheduler has found or set them.
  const std::vector<double>& get_last_lr() const { return last_lr_; }
  /// As those of LRScheduler.
  c10::IValue state_dict();
  void load_state_dict(const c10::IValue& state);

 private:
  bool is_better(double number) const;
  void each_attribute(detail::SchedulerState& state);
  torch::optim::Optimizer& optimizer_;
  ReduceLROnPlateauOptions options_;
  std::vector<double> last_lr_{}, min_lrs_{};
  double best_;
  std::int64_t last_epoch_ = 0, bad_epochs_ = 0, cooling_ = 0;
};

}  // namespace torchbook::optim::inline v1
#pragma GCC visibility pop
