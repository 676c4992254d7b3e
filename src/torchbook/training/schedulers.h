// Learning rate schedulers like those of torch.optim.lr_scheduler.
#pragma once

#include <torch/optim/optimizer.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numbers>
#include <utility>
#include <vector>

namespace torchbook::optim {

/// Sets the learning rates of an optimizer, which must outlive it, each time that step() is called.
class Scheduler {
 public:
  virtual ~Scheduler() = default;
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// Ends an epoch, and sets the rates of the next one.
  void step() {
    ++epoch_;
    begin();
  }

  /// Returns the rate of each group of parameters, as this scheduler has set them.
  const std::vector<double>& get_last_lr() const { return last_; }

 protected:
  explicit Scheduler(torch::optim::Optimizer& optimizer) : optimizer_(optimizer), first_(rates()) {}
  /// Sets the rates of this epoch.
  void begin() {
    for (std::size_t i = 0; i < first_.size(); ++i) {
      auto& options = optimizer_.param_groups()[i].options();
      options.set_lr(next(options.get_lr(), first_[i]));
    }
    last_ = rates();
  }
  /// Returns the rate of a group in this epoch. `last` is its rate in the previous epoch, `first`
  /// its initial rate.
  virtual double next(double last, double first) const = 0;
  std::int64_t epoch() const { return epoch_; }

 private:
  std::vector<double> rates() const {
    std::vector<double> rates;
    for (const auto& group : optimizer_.param_groups()) rates.push_back(group.options().get_lr());
    return rates;
  }

  torch::optim::Optimizer& optimizer_;
  std::vector<double> first_;
  std::vector<double> last_ = first_;
  std::int64_t epoch_ = 0;
};

/// Multiplies the rate by `gamma` every `step_size` epochs.
class StepLR : public Scheduler {
 public:
  StepLR(torch::optim::Optimizer& optimizer, std::int64_t step_size, double gamma = 0.1)
      : Scheduler(optimizer), step_size_(step_size), gamma_(gamma) {}

 private:
  double next(double last, double /*first*/) const override {
    return epoch() % step_size_ == 0 ? last * gamma_ : last;
  }
  std::int64_t step_size_;
  double gamma_;
};

/// Multiplies the rate by `gamma` in each epoch of `milestones`.
class MultiStepLR : public Scheduler {
 public:
  MultiStepLR(torch::optim::Optimizer& optimizer, std::vector<std::int64_t> milestones, double gamma = 0.1)
      : Scheduler(optimizer), milestones_(std::move(milestones)), gamma_(gamma) {}

 private:
  double next(double last, double /*first*/) const override {
    const auto times = std::count(milestones_.begin(), milestones_.end(), epoch());
    return times == 0 ? last : last * std::pow(gamma_, static_cast<double>(times));
  }
  std::vector<std::int64_t> milestones_;
  double gamma_;
};

/// Sets the rate to the initial rate times `lr_lambda(epoch)`, already before the first epoch.
class LambdaLR : public Scheduler {
 public:
  LambdaLR(torch::optim::Optimizer& optimizer, std::function<double(std::int64_t)> lr_lambda)
      : Scheduler(optimizer), lr_lambda_(std::move(lr_lambda)) {
    begin();
  }

 private:
  double next(double /*last*/, double first) const override { return first * lr_lambda_(epoch()); }
  std::function<double(std::int64_t)> lr_lambda_;
};

/// Multiplies the rate by `gamma` every epoch.
class ExponentialLR : public Scheduler {
 public:
  ExponentialLR(torch::optim::Optimizer& optimizer, double gamma) : Scheduler(optimizer), gamma_(gamma) {}

 private:
  double next(double last, double /*first*/) const override { return last * gamma_; }
  double gamma_;
};

/// Lets the rate follow half a cosine down to `eta_min`, which it reaches after `T_max` epochs.
class CosineAnnealingLR : public Scheduler {
 public:
  CosineAnnealingLR(torch::optim::Optimizer& optimizer, std::int64_t T_max, double eta_min = 0)
      : Scheduler(optimizer), most_(T_max), least_(eta_min) {}

 private:
  double next(double last, double first) const override {
    const auto cosine = [&](std::int64_t epoch) {
      return std::cos(std::numbers::pi * static_cast<double>(epoch) / static_cast<double>(most_));
    };
    if ((epoch() - 1 - most_) % (2 * most_) == 0) {
      return last + (first - least_) * (1 - std::cos(std::numbers::pi / static_cast<double>(most_))) / 2;
    }
    return (1 + cosine(epoch())) / (1 + cosine(epoch() - 1)) * (last - least_) + least_;
  }
  std::int64_t most_;
  double least_;
};

}  // namespace torchbook::optim
