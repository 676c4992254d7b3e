// Runs the configurations of steps_test.py: steps CASES OUT. CASES is JSON; OUT gets the bytes of each case's
// numbers, after their count. steps_test.py does the same in Python.
#include <torch/torch.h>
#include <torchbook/training/data.h>
#include <torchbook/training/nn.h>
#include <torchbook/training/numpy_random.h>
#include <torchbook/training/optim.h>
#include <torchbook/training/random.h>
#include <torchbook/training/schedulers.h>

#include <fstream>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using nlohmann::json;
using torch::Tensor;
namespace optim = torchbook::optim;
namespace data = torchbook::data;

/// The numbers that a case tells of.
struct Numbers {
  std::string bytes{};

  void add(const void* first, std::size_t size) { bytes.append(static_cast<const char*>(first), size); }
  void add(const Tensor& tensor) {
    const auto whole = tensor.detach().contiguous();
    add(whole.data_ptr(), whole.nbytes());
  }
  void add(double number) { add(&number, sizeof number); }
  void add(std::int64_t number) { add(&number, sizeof number); }
};

// ------------------------------------------------------------ optimizers

/// Sets the options that a group has in a case, by their names.
template <class Options>
Options with(Options options, const json& given) {
  for (const auto& [name, value] : given.items()) {
    const auto set = [&](std::string_view wanted, auto& option) {
      if (name == wanted) value.get_to(option);
    };
    set("lr", options.lr());
    set("weight_decay", options.weight_decay());
    if constexpr (requires { options.betas(); }) set("betas", options.betas());
    if constexpr (requires { options.amsgrad(); }) set("amsgrad", options.amsgrad());
    if constexpr (requires { options.eps(); }) set("eps", options.eps());
    if constexpr (requires { options.momentum(); }) set("momentum", options.momentum());
    if constexpr (requires { options.nesterov(); }) set("nesterov", options.nesterov());
    if constexpr (requires { options.dampening(); }) set("dampening", options.dampening());
    if constexpr (requires { options.alpha(); }) set("alpha", options.alpha());
    if constexpr (requires { options.centered(); }) set("centered", options.centered());
    if constexpr (requires { options.lr_decay(); }) set("lr_decay", options.lr_decay());
    if constexpr (requires { options.initial_accumulator_value(); })
      set("initial_accumulator_value", options.initial_accumulator_value());
  }
  return options;
}

template <class Optimizer, class Options>
std::unique_ptr<torch::optim::Optimizer> optimizer_of(const json& groups,
                                                      const std::vector<Tensor>& parameters,
                                                      const Options& first) {
  std::vector<torch::optim::OptimizerParamGroup> all;
  for (std::size_t i = 0; i < groups.size(); ++i)
    all.emplace_back(std::vector<Tensor>{parameters[2 * i], parameters[2 * i + 1]},
                     std::make_unique<Options>(with(first, groups[i])));
  return std::make_unique<Optimizer>(std::move(all), first);
}

std::unique_ptr<torch::optim::Optimizer> optimizer_of(const json& given,
                                                      const std::vector<Tensor>& parameters) {
  const auto name = given.at("class").get<std::string>();
  const auto& groups = given.at("groups");
  namespace of = torch::optim;
  if (name == "SGD") return optimizer_of<optim::SGD>(groups, parameters, of::SGDOptions(0.1));
  if (name == "Adam") return optimizer_of<optim::Adam>(groups, parameters, of::AdamOptions());
  if (name == "AdamW") return optimizer_of<optim::AdamW>(groups, parameters, of::AdamWOptions());
  if (name == "RMSprop") return optimizer_of<optim::RMSprop>(groups, parameters, of::RMSpropOptions());
  if (name == "Adagrad") {
    const auto first =
        of::AdagradOptions().initial_accumulator_value(groups[0].value("initial_accumulator_value", 0.0));
    return optimizer_of<optim::Adagrad>(groups, parameters, first);
  }
  throw std::invalid_argument(name);
}

std::unique_ptr<optim::LRScheduler> scheduler_of(torch::optim::Optimizer& optimizer, const json& given) {
  const auto& a = given.at("arguments");
  const auto name = given.at("class").get<std::string>();
  if (name == "StepLR") return std::make_unique<optim::StepLR>(optimizer, a[0], a[1]);
  if (name == "MultiStepLR") return std::make_unique<optim::MultiStepLR>(optimizer, a[0], a[1]);
  if (name == "ExponentialLR") return std::make_unique<optim::ExponentialLR>(optimizer, a[0]);
  if (name == "LinearLR") return std::make_unique<optim::LinearLR>(optimizer, a[0], a[1], a[2]);
  if (name == "CosineAnnealingLR") return std::make_unique<optim::CosineAnnealingLR>(optimizer, a[0], a[1]);
  if (name == "CosineAnnealingWarmRestarts")
    return std::make_unique<optim::CosineAnnealingWarmRestarts>(optimizer, a[0], a[1], a[2]);
  if (name == "LambdaLR") {
    const double factor = a[0];
    return std::make_unique<optim::LambdaLR>(
        optimizer, [factor](std::int64_t epoch) { return 1 / (1 + factor * static_cast<double>(epoch)); });
  }
  if (name == "OneCycleLR") {
    return std::make_unique<optim::OneCycleLR>(optimizer, optim::OneCycleLROptions(a[0], a[1])
                                                              .pct_start(a[2])
                                                              .anneal_strategy(a[3])
                                                              .three_phase(a[4])
                                                              .cycle_momentum(a[5]));
  }
  throw std::invalid_argument(name);
}

std::vector<std::unique_ptr<optim::LRScheduler>> schedulers_of(torch::optim::Optimizer& optimizer,
                                                               const json& given) {
  std::vector<std::unique_ptr<optim::LRScheduler>> made;
  std::vector<std::reference_wrapper<optim::LRScheduler>> parts;
  for (const auto& each : given.at("schedulers")) {
    made.push_back(scheduler_of(optimizer, each));
    parts.emplace_back(*made.back());
  }
  if (given.contains("milestones"))
    made.push_back(std::make_unique<optim::SequentialLR>(optimizer, parts, given.at("milestones")));
  return made;
}

/// An optimizer and the schedulers of its rate.
struct Trained {
  const json& given;
  const std::vector<Tensor>& parameters;
  std::unique_ptr<torch::optim::Optimizer> optimizer{};
  std::vector<std::unique_ptr<optim::LRScheduler>> schedulers{};
  std::unique_ptr<optim::ReduceLROnPlateau> plateau{};

  void make() {
    schedulers.clear();
    optimizer = optimizer_of(given, parameters);
    schedulers = schedulers_of(*optimizer, given);
    if (!given.contains("plateau")) return;
    const auto& a = given.at("plateau");
    plateau = std::make_unique<optim::ReduceLROnPlateau>(*optimizer, optim::ReduceLROnPlateauOptions()
                                                                         .mode(a[0])
                                                                         .factor(a[1])
                                                                         .patience(a[2])
                                                                         .cooldown(a[3])
                                                                         .threshold_mode(a[4]));
  }
  /// Makes all anew and goes on, as if it were saved and loaded.
  void reload() {
    const auto state = optim::state_dict(*optimizer).deepcopy();
    std::vector<c10::IValue> of_schedulers;
    for (const auto& each : schedulers) of_schedulers.push_back(each->state_dict());
    const auto of_plateau = plateau ? plateau->state_dict() : c10::IValue();
    make();
    optim::load_state_dict(*optimizer, state);
    for (std::size_t i = 0; i < schedulers.size(); ++i) schedulers[i]->load_state_dict(of_schedulers[i]);
    if (plateau) plateau->load_state_dict(of_plateau);
  }
  void step() {
    optimizer->step();
    if (!schedulers.empty()) schedulers.back()->step();
    if (plateau) plateau->step(torch::randn({}).item<double>());
  }
};

void run_optimizer(const json& given, Numbers& out) {
  torch::manual_seed(given.at("seed").get<std::int64_t>());
  const auto dtype = given.at("dtype") == "complex64" ? torch::kComplexFloat
                     : given.at("dtype") == "float64" ? torch::kDouble
                                                      : torch::kFloat;
  std::vector<Tensor> parameters;
  for (std::size_t i = 0; i < given.at("groups").size(); ++i) {
    for (const auto& sizes : {std::vector<std::int64_t>{3, 7}, {5}})
      parameters.push_back(torch::randn(sizes, dtype).requires_grad_());
  }
  Trained trained{.given = given, .parameters = parameters};
  trained.make();
  const std::int64_t steps = given.at("steps");
  for (std::int64_t step = 0; step < steps; ++step) {
    for (auto& parameter : parameters) {
      const auto gradient = torch::randn_like(parameter.detach());
      parameter.mutable_grad() = torch::rand({}).item<double>() < 0.1 ? Tensor() : gradient;
    }
    if (given.contains("clip"))
      out.add(torchbook::nn::clip_grad_norm_(parameters, given["clip"][0], given["clip"][1]));
    trained.step();
    if (step == steps / 2) trained.reload();
    for (const auto& group : trained.optimizer->param_groups()) out.add(group.options().get_lr());
  }
  for (const auto& parameter : parameters) out.add(parameter);
}

// ------------------------------------------------------------ loaders

std::shared_ptr<data::Sampler> sampler_of(const json& given, std::int64_t size,
                                          const at::Generator& generator) {
  const auto name = given.value("sampler", "");
  const std::int64_t count = given.at("num_samples");
  if (name == "RandomSampler")
    return std::make_shared<data::RandomSampler>(size, given.at("replacement"), count, generator);
  if (name == "WeightedRandomSampler")
    return std::make_shared<data::WeightedRandomSampler>(torch::arange(1, size + 1), count,
                                                         given.at("replacement"), generator);
  if (name == "SubsetRandomSampler") {
    std::vector<std::int64_t> places;
    for (std::int64_t i = 0; i < size; i += 2) places.push_back(i);
    return std::make_shared<data::SubsetRandomSampler>(places, generator);
  }
  return nullptr;
}

void run_loader(const json& given, Numbers& out) {
  torch::manual_seed(given.at("seed").get<std::int64_t>());
  const std::int64_t size = given.at("size");
  at::Generator generator;
  if (given.at("own").get<bool>()) generator = at::make_generator<at::CPUGeneratorImpl>(given.at("seed"));
  const data::TensorDataset whole(torch::arange(size), torch::arange(size) * 0.5);
  const auto parts = data::random_split(whole, {size - 1, 1}, generator);
  const data::DataLoader loader(parts[0], data::DataLoaderOptions(given.at("batch_size"))
                                              .shuffle(given.at("shuffle"))
                                              .drop_last(given.at("drop_last"))
                                              .generator(generator)
                                              .sampler(sampler_of(given, size - 1, generator)));
  for (int epoch = 0; epoch < 3; ++epoch) {
    for (const auto& [x, y] : loader) {
      out.add(x);
      out.add(y);
    }
    out.add(torch::rand({}));
  }
  if (generator.defined()) out.add(torch::rand({}, generator));
}

// ------------------------------------------------------------ random numbers

void run_random(const json& given, Numbers& out) {
  torchbook::random::Random python(given.at("seed").get<std::int64_t>());
  torchbook::np::random::RandomState numpy(given.at("seed").get<std::int64_t>());
  std::vector<std::int64_t> values(given.at("size").get<std::size_t>());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(i);
  for (const auto& each : given.at("calls")) {
    const auto name = each.get<std::string>();
    if (name == "random") out.add(python.random());
    if (name == "gauss") out.add(python.gauss(1, 2));
    if (name == "uniform") out.add(python.uniform(-1, 3));
    if (name == "randint") out.add(python.randint(-5, 1'000'000'000'000));
    if (name == "choice") out.add(python.choice(values));
    if (name == "choices")
      for (const auto value : python.choices(values, 3)) out.add(value);
    if (name == "sample")
      for (const auto value : python.sample(values, 4)) out.add(value);
    if (name == "shuffle") {
      python.shuffle(values);
      for (const auto value : values) out.add(value);
    }
    if (name == "np.randn") out.add(numpy.randn({3}));
    if (name == "np.rand") out.add(numpy.rand());
    if (name == "np.randint") out.add(numpy.randint(-3, 1000, {5}));
    if (name == "np.normal") out.add(numpy.normal(2, 0.5));
    if (name == "np.permutation") out.add(numpy.permutation(9));
    if (name == "state") {  // goes on with the same numbers
      const auto kept = python.state();
      const auto also = numpy.state();
      python = torchbook::random::Random(1);
      numpy = torchbook::np::random::RandomState(1);
      python.set_state(kept);
      numpy.set_state(also);
    }
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) throw std::invalid_argument("usage: steps CASES OUT");
  torch::set_num_threads(1);
  std::ifstream file(argv[1]);
  std::ofstream out(argv[2], std::ios::binary);
  for (const auto& each : json::parse(file)) {
    Numbers numbers;
    const auto kind = each.at("kind").get<std::string>();
    if (kind == "optimizer") run_optimizer(each, numbers);
    if (kind == "loader") run_loader(each, numbers);
    if (kind == "random") run_random(each, numbers);
    const auto size = static_cast<std::uint64_t>(numbers.bytes.size());
    out.write(reinterpret_cast<const char*>(&size), sizeof size);
    out.write(numbers.bytes.data(), static_cast<std::streamsize>(size));
  }
  return 0;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
