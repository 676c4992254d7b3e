// Draws the order of batches, and makes tensors of numbers.
#include <ATen/CPUGeneratorImpl.h>
#include <torchbook/runtime/data.h>

namespace torchbook::data {

std::int64_t drawn_seed(const at::Generator& generator) {
  const auto seed = at::empty({}, at::kLong);
  return (generator.defined() ? seed.random_(generator) : seed.random_()).item<std::int64_t>();
}

std::vector<std::int64_t> shuffled(std::int64_t size, const at::Generator& given) {
  const auto generator =
      given.defined() ? given
                      : at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(drawn_seed()));
  const at::Tensor order = at::randperm(size, generator);
  const auto* const first = order.data_ptr<std::int64_t>();
  return {first, first + size};
}

at::Tensor collate(const std::vector<std::int64_t>& items) { return at::tensor(items, at::kLong); }

at::Tensor collate(const std::vector<double>& items) { return at::tensor(items, at::kDouble); }

}  // namespace torchbook::data
