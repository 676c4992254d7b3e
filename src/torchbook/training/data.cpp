#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <torchbook/training/data.h>

namespace torchbook::data::inline v1 {
namespace {

c10::optional<at::Generator> optional(const at::Generator& generator) {
  return generator.defined() ? c10::optional<at::Generator>(generator) : c10::nullopt;
}

std::vector<std::int64_t> ints_of(const at::Tensor& tensor) {
  const auto ints = tensor.to(at::kLong).contiguous();
  const auto* const first = ints.data_ptr<std::int64_t>();
  return {first, first + ints.numel()};
}

}  // namespace

std::int64_t detail::drawn_seed(const at::Generator& generator) {
  return at::empty({}, at::kLong).random_(optional(generator)).item<std::int64_t>();
}

std::vector<std::int64_t> detail::permutation(std::int64_t size, const at::Generator& generator) {
  return ints_of(at::randperm(size, optional(generator)));
}

RandomSampler::RandomSampler(std::int64_t size, bool replacement, std::int64_t num_samples,
                             at::Generator generator)
    : size_(size),
      replacement_(replacement),
      num_samples_(num_samples < 0 ? size : num_samples),
      given_(std::move(generator)) {
  if (size_ <= 0 || num_samples_ <= 0) throw std::invalid_argument("a RandomSampler has nothing to draw");
}

std::vector<std::int64_t> RandomSampler::begin() {
  generator_ =
      given_.defined()
          ? given_
          : at::make_generator<at::CPUGeneratorImpl>(static_cast<std::uint64_t>(detail::drawn_seed()));
  if (replacement_) {
    constexpr std::int64_t at_once = 32;
    std::vector<at::Tensor> parts;
    for (auto left = num_samples_; left > 0; left -= at_once)
      parts.push_back(at::randint(size_, {std::min(left, at_once)}, optional(generator_), at::kLong));
    return ints_of(at::cat(parts));
  }
  std::vector<std::int64_t> places;
  for (auto left = num_samples_; left > 0; left -= size_) {
    const auto drawn = detail::permutation(size_, generator_);
    places.insert(places.end(), drawn.begin(), drawn.begin() + std::min(left, size_));
  }
  return places;
}

// Python draws a last permutation, of which it takes none if the pass has visited all items equally often.
void RandomSampler::end() {
  if (!replacement_ && num_samples_ % size_ == 0) detail::permutation(size_, generator_);
}

SubsetRandomSampler::SubsetRandomSampler(std::vector<std::int64_t> indices, at::Generator generator)
    : indices_(std::move(indices)), generator_(std::move(generator)) {}

std::vector<std::int64_t> SubsetRandomSampler::begin() {
  auto places = detail::permutation(static_cast<std::int64_t>(indices_.size()), generator_);
  for (auto& place : places) place = indices_[static_cast<std::size_t>(place)];
  return places;
}

WeightedRandomSampler::WeightedRandomSampler(const at::Tensor& weights, std::int64_t num_samples,
                                             bool replacement, at::Generator generator)
    : weights_(weights.to(at::kDouble)),
      num_samples_(num_samples),
      replacement_(replacement),
      generator_(std::move(generator)) {
  if (num_samples <= 0) throw std::invalid_argument("a WeightedRandomSampler has nothing to draw");
}

std::vector<std::int64_t> WeightedRandomSampler::begin() {
  return ints_of(at::multinomial(weights_, num_samples_, replacement_, optional(generator_)));
}

at::Tensor collate(const std::vector<std::int64_t>& items) { return at::tensor(items, at::kLong); }

at::Tensor collate(const std::vector<double>& items) { return at::tensor(items, at::kDouble); }

}  // namespace torchbook::data::inline v1
