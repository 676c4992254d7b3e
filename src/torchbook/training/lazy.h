// Python's lazy layers, which learn the number of their inputs from their first call.
#pragma once

#include <ATen/ATen.h>
#include <torch/nn/modules/conv.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/options/conv.h>
#include <torch/nn/options/linear.h>
#include <torch/nn/pimpl.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/training/nn.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#pragma GCC visibility push(default)
namespace torchbook::nn::inline v1 {

namespace detail {

/// A layer whose weights have no sizes before its first call.
class LazyLayer {
 public:
  virtual ~LazyLayer() = default;
  /// Whether the layer was not called yet.
  bool is_lazy() const { return lazy_; }
  /// Whether a weight of these sizes fits.
  virtual bool fits(at::IntArrayRef weight) const = 0;
  /// Sets the sizes of weights that have none, as loading a state_dict does. Their numbers are undefined.
  virtual void take_sizes(at::IntArrayRef weight) = 0;
  /// Whether the weights have sizes.
  virtual bool has_sizes() const = 0;

 protected:
  bool lazy_ = true;
};

/// Restores the state of the default generator: LibTorch's layers draw when they are made, lazy ones at their
/// first call.
class KeptDraws {
 protected:
  void restore_draws() { generator_.set_state(before_); }

 private:
  at::Generator generator_ = at::globalContext().defaultGenerator(at::kCPU);
  at::Tensor before_ = generator_.get_state();
};

/// `Layer` as a lazy layer. Its parameters are the same tensors before and after the first call, so an
/// optimizer may be made before it.
template <class Derived, class Layer, class Options>
class Lazy : private KeptDraws, public Layer, public LazyLayer, public pyrepr::ClassName {
 public:
  /// Returns a copy, with parameters of its own, on `device` if it is given. It draws no numbers.
  std::shared_ptr<torch::nn::Module> clone(
      const c10::optional<torch::Device>& device = c10::nullopt) const override {
    const auto copy = std::make_shared<Derived>(chosen_);
    copy->options = this->options;
    copy->lazy_ = this->lazy_;
    copy->train(this->is_training());
    for (const auto part : {&Layer::weight, &Layer::bias}) {
      const at::Tensor &from = this->*part, &to = (*copy).*part;
      if (!from.defined()) continue;
      to.set_data(from.detach().to(device.value_or(from.device()), from.scalar_type(), false, /*copy=*/true));
      to.set_requires_grad(from.requires_grad());
    }
    return copy;
  }
  bool has_sizes() const override { return this->weight.dim() > 1; }
  /// Returns the weight. Throws std::logic_error if it has no sizes: Python shows no tensor then.
  at::Tensor& made_weight() { return made(this->weight); }
  /// Returns the bias. Throws std::logic_error if it has no sizes.
  at::Tensor& made_bias() { return made(this->bias); }
  void take_sizes(at::IntArrayRef weight) override {
    if (has_sizes() || weight.empty()) return;
    this->weight.set_data(at::empty(weight, this->weight.options().requires_grad(false)));
    if (this->bias.defined())
      this->bias.set_data(at::empty({weight[0]}, this->bias.options().requires_grad(false)));
  }

 protected:
  explicit Lazy(const Options& options) : Layer(options), chosen_(options) {
    restore_draws();
    for (auto* each : {&this->weight, &this->bias})
      if (each->defined()) each->set_data(at::empty({0}, each->options().requires_grad(false)));
  }
  at::Tensor& made(at::Tensor& parameter) {
    if (!has_sizes()) throw std::logic_error("a lazy layer has no weights before its first call");
    return parameter;
  }
  /// Makes the weights before the first call.
  void make(at::IntArrayRef weight) {
    lazy_ = false;
    if (has_sizes()) return;
    take_sizes(weight);
    this->reset_parameters();
  }

 private:
  Options chosen_;
};

}  // namespace detail

/// Options of LazyLinear: those of torch::nn::Linear without the number of inputs.
struct LazyLinearOptions : torch::nn::LinearOptions {
  explicit LazyLinearOptions(std::int64_t out_features) : LinearOptions(1, out_features) {}
};

/// Python's `torch.nn.LazyLinear`.
class LazyLinearImpl : public detail::Lazy<LazyLinearImpl, LinearImpl, torch::nn::LinearOptions> {
 public:
  explicit LazyLinearImpl(torch::nn::LinearOptions given) : Lazy(given.in_features(1)) {
    options.in_features(0);
  }
  explicit LazyLinearImpl(std::int64_t out_features) : LazyLinearImpl(LazyLinearOptions(out_features)) {}

  at::Tensor forward(const at::Tensor& input) {
    if (!has_sizes()) options.in_features(input.size(-1));
    if (is_lazy()) make({options.out_features(), input.size(-1)});
    return LinearImpl::forward(input);
  }
  bool fits(at::IntArrayRef weight) const override {
    return weight.size() == 2 && weight[0] == options.out_features();
  }
  std::string class_name() const override { return is_lazy() ? "LazyLinear" : "Linear"; }
};
TORCH_MODULE(LazyLinear);

/// Options of LazyConv2d: those of torch::nn::Conv2d without the number of input channels.
struct LazyConv2dOptions : torch::nn::ConvOptions<2> {
  LazyConv2dOptions(std::int64_t out_channels, torch::ExpandingArray<2> kernel_size)
      : ConvOptions(1, out_channels, kernel_size) {}
};

/// Python's `torch.nn.LazyConv2d`.
class LazyConv2dImpl : public detail::Lazy<LazyConv2dImpl, torch::nn::Conv2dImpl, torch::nn::Conv2dOptions> {
 public:
  explicit LazyConv2dImpl(torch::nn::Conv2dOptions given) : Lazy(given.in_channels(given.groups())) {
    options.in_channels(0);
  }
  LazyConv2dImpl(std::int64_t out_channels, torch::ExpandingArray<2> kernel_size)
      : LazyConv2dImpl(LazyConv2dOptions(out_channels, kernel_size)) {}

  at::Tensor forward(const at::Tensor& input) {
    const auto channels = input.size(-3);
    TORCH_CHECK(channels % options.groups() == 0, "in_channels must be divisible by groups");
    if (!has_sizes()) options.in_channels(channels);
    const auto& kernel = *options.kernel_size();
    if (is_lazy()) make({options.out_channels(), channels / options.groups(), kernel[0], kernel[1]});
    return Conv2dImpl::forward(input);
  }
  bool fits(at::IntArrayRef weight) const override {
    return weight.size() == 4 && weight[0] == options.out_channels() &&
           weight.slice(2) == at::IntArrayRef(*options.kernel_size());
  }
  std::string class_name() const override { return is_lazy() ? "LazyConv2d" : "Conv2d"; }
};
TORCH_MODULE(LazyConv2d);

}  // namespace torchbook::nn::inline v1
#pragma GCC visibility pop
