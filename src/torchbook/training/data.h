// Python's data sets, samplers and loaders, which draw and collate as torch.utils.data does.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/ops/stack.h>
#include <torch/arg.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#pragma GCC visibility push(default)
namespace torchbook::data::inline v1 {

namespace detail {

/// Draws the number that Python's DataLoader uses as a seed. An undefined generator is the default one.
std::int64_t drawn_seed(const at::Generator& generator = {});

/// Returns `torch.randperm(size, generator=generator)` as a list.
std::vector<std::int64_t> permutation(std::int64_t size, const at::Generator& generator);

/// Returns the data set, also if a shared pointer holds it.
template <class Dataset>
auto& itself(Dataset& dataset) {
  if constexpr (requires { dataset.use_count(); } &&
                !std::is_same_v<std::remove_const_t<Dataset>, at::Tensor>) {
    return *dataset;
  } else {
    return dataset;
  }
}

/// Returns the number of items of a tensor, a data set of torch::data, or another class with `size()`.
template <class Dataset>
std::int64_t length(Dataset& dataset) {
  if constexpr (std::is_same_v<std::remove_const_t<Dataset>, at::Tensor>) {
    return dataset.size(0);
  } else if constexpr (requires { itself(dataset).size().value(); }) {
    return static_cast<std::int64_t>(itself(dataset).size().value());
  } else {
    return static_cast<std::int64_t>(itself(dataset).size());
  }
}

/// Returns an item: `dataset[place]`, or that of a data set of torch::data, as a tuple of its data and its
/// target.
template <class Dataset>
auto item(Dataset& dataset, std::int64_t place) {
  if constexpr (requires { itself(dataset).get(std::size_t{}).data; }) {
    auto example = itself(dataset).get(static_cast<std::size_t>(place));
    if constexpr (requires { example.target; }) {
      return std::tuple(example.data, example.target);
    } else {
      return example.data;
    }
  } else {
    return itself(dataset)[place];
  }
}

}  // namespace detail

// ------------------------------------------------------------ data sets

/// Tensors of the same length: `dataset[i]` is a tuple with row i of each.
template <class... Tensors>
class TensorDataset {
 public:
  /// Throws std::invalid_argument if the lengths differ.
  explicit TensorDataset(Tensors... tensors) : tensors_(std::move(tensors)...) {
    const auto same = [&](const auto& tensor) { return tensor.size(0) == size(); };
    if (!std::apply([&](const auto&... each) { return (same(each) && ...); }, tensors_))
      throw std::invalid_argument("the tensors of a TensorDataset have different lengths");
  }
  std::int64_t size() const { return std::get<0>(tensors_).size(0); }
  std::tuple<Tensors...> operator[](std::int64_t place) const {
    return std::apply([&](const auto&... each) { return std::tuple<Tensors...>(each[place]...); }, tensors_);
  }

 private:
  std::tuple<Tensors...> tensors_;
};

/// A subset of the items of a data set, as random_split() returns it.
template <class Dataset>
class Subset {
 public:
  Subset(Dataset dataset, std::vector<std::int64_t> places)
      : dataset_(std::move(dataset)), places_(std::move(places)) {}
  std::int64_t size() const { return static_cast<std::int64_t>(places_.size()); }
  auto operator[](std::int64_t place) const {
    return detail::item(dataset_, places_.at(static_cast<std::size_t>(place)));
  }

 private:
  mutable Dataset dataset_;  // get() of a data set of torch::data is not const
  std::vector<std::int64_t> places_;
};

/// Splits a data set at random into parts of these lengths, as torch.utils.data.random_split does.
/// Draws from `generator`, or from the default generator if it is undefined. Throws
/// std::invalid_argument if the lengths do not add up to the length of the data set.
template <class Dataset>
std::vector<Subset<Dataset>> random_split(const Dataset& dataset, const std::vector<std::int64_t>& lengths,
                                          const at::Generator& generator = {}) {
  const auto total = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  if (total != detail::length(dataset))
    throw std::invalid_argument("the lengths add up to " + std::to_string(total) + ", and the data set has " +
                                std::to_string(detail::length(dataset)) + " items");
  const auto order = detail::permutation(total, generator);
  std::vector<Subset<Dataset>> parts;
  auto start = order.begin();
  for (const auto part : lengths) {
    parts.emplace_back(dataset, std::vector<std::int64_t>(start, start + part));
    start += part;
  }
  return parts;
}

// ------------------------------------------------------------ samplers

/// Chooses the items that a pass over a DataLoader visits.
class Sampler {
 public:
  virtual ~Sampler() = default;
  /// Returns how many items a pass visits.
  virtual std::int64_t size() const = 0;
  /// Begins a pass. Returns the places of its items.
  virtual std::vector<std::int64_t> begin() = 0;
  /// Ends a pass that has visited all of them.
  virtual void end() {}
};

/// Python's `RandomSampler(dataset, replacement, num_samples, generator)`, for a data set with `size` items.
class RandomSampler : public Sampler {
 public:
  /// By default it visits each item once. Without a generator, each pass makes one, with a seed drawn from
  /// the default one. Throws std::invalid_argument if a number is not positive.
  explicit RandomSampler(std::int64_t size, bool replacement = false, std::int64_t num_samples = -1,
                         at::Generator generator = {});
  std::int64_t size() const override { return num_samples_; }
  std::vector<std::int64_t> begin() override;
  void end() override;

 private:
  std::int64_t size_;
  bool replacement_;
  std::int64_t num_samples_;
  at::Generator given_, generator_{};
};

/// Python's `SubsetRandomSampler(indices, generator)`. Without a generator it draws from the default one.
class SubsetRandomSampler : public Sampler {
 public:
  explicit SubsetRandomSampler(std::vector<std::int64_t> indices, at::Generator generator = {});
  std::int64_t size() const override { return static_cast<std::int64_t>(indices_.size()); }
  std::vector<std::int64_t> begin() override;

 private:
  std::vector<std::int64_t> indices_;
  at::Generator generator_;
};

/// Python's `WeightedRandomSampler(weights, num_samples, replacement, generator)`. Without a generator it
/// draws from the default one.
class WeightedRandomSampler : public Sampler {
 public:
  /// `weights` has one weight for each item of the data set; they need not add up to 1.
  WeightedRandomSampler(const at::Tensor& weights, std::int64_t num_samples, bool replacement = true,
                        at::Generator generator = {});
  std::int64_t size() const override { return num_samples_; }
  std::vector<std::int64_t> begin() override;

 private:
  at::Tensor weights_;
  std::int64_t num_samples_;
  bool replacement_;
  at::Generator generator_;
};

// ------------------------------------------------------------ loaders

/// Makes one batch of items: stacks tensors, makes tensors of numbers, and collates pairs and tuples part by
/// part.
inline at::Tensor collate(const std::vector<at::Tensor>& items) { return at::stack(items); }
at::Tensor collate(const std::vector<std::int64_t>& items);
at::Tensor collate(const std::vector<double>& items);
inline std::vector<std::string> collate(std::vector<std::string> items) { return items; }
template <class Number>
requires std::is_arithmetic_v<Number> at::Tensor collate(const std::vector<Number>& items) {
  using Python = std::conditional_t<std::is_integral_v<Number>, std::int64_t, double>;
  return collate(std::vector<Python>(items.begin(), items.end()));
}
template <class... Parts>
auto collate(const std::vector<std::tuple<Parts...>>& items) {
  const auto part = [&]<std::size_t place>(std::integral_constant<std::size_t, place>) {
    std::vector<std::tuple_element_t<place, std::tuple<Parts...>>> parts;
    for (const auto& item : items) parts.push_back(std::get<place>(item));
    return collate(parts);
  };
  return [&]<std::size_t... places>(std::index_sequence<places...>) {
    return std::tuple{part(std::integral_constant<std::size_t, places>())...};
  }
  (std::index_sequence_for<Parts...>());
}
template <class First, class Second>
auto collate(const std::vector<std::pair<First, Second>>& items) {
  return collate(std::vector<std::tuple<First, Second>>(items.begin(), items.end()));
}

/// How a DataLoader makes a batch by default. Another class may stand for it, such as one that pads.
struct DefaultCollate {
  template <class Item>
  auto operator()(const std::vector<Item>& items) const {
    return collate(items);
  }
};

/// The options of a DataLoader, with Python's names and defaults, but for `batch_sampler` and those that do
/// not change what a pass gives, such as `pin_memory`.
struct DataLoaderOptions {
  DataLoaderOptions(std::int64_t batch_size = 1) : batch_size_(batch_size) {}

  TORCH_ARG(std::int64_t, batch_size);
  TORCH_ARG(bool, shuffle) = false;
  TORCH_ARG(bool, drop_last) = false;
  TORCH_ARG(std::int64_t, num_workers) = 0;  // no thread is started: only when items are read changes
  TORCH_ARG(at::Generator, generator) = {};  // undefined for the default generator
  TORCH_ARG(std::shared_ptr<Sampler>, sampler) = nullptr;  // in place of `shuffle`
};

/// Iterates over the batches of a data set, as torch.utils.data.DataLoader does. Each loop over it draws from
/// the default generator, in Python's order.
template <class Dataset, class Collate = DefaultCollate>
class DataLoader {
 public:
  /// Throws std::invalid_argument if `batch_size` is not positive, or if there are a sampler and `shuffle`.
  explicit DataLoader(Dataset dataset, DataLoaderOptions options = {}, Collate collate = {})
      : dataset_(std::move(dataset)), collate_(std::move(collate)), options_(std::move(options)) {
    if (options_.batch_size() <= 0)
      throw std::invalid_argument("batch_size must be positive, and is " +
                                  std::to_string(options_.batch_size()));
    if (options_.num_workers() < 0)
      throw std::invalid_argument("num_workers must not be negative, and is " +
                                  std::to_string(options_.num_workers()));
    if (options_.sampler() && options_.shuffle())
      throw std::invalid_argument("a DataLoader takes a sampler or shuffle, not both");
    if (options_.shuffle() && detail::length(dataset_) > 0)
      options_.sampler(
          std::make_shared<RandomSampler>(detail::length(dataset_), false, -1, options_.generator()));
  }

  /// The number of batches.
  std::int64_t size() const {
    return batches(options_.sampler() ? options_.sampler()->size() : detail::length(dataset_));
  }
  std::int64_t batch_size() const { return options_.batch_size(); }
  const Dataset& dataset() const { return dataset_; }

  using Item = std::decay_t<decltype(detail::item(std::declval<Dataset&>(), 0))>;
  using Batch = decltype(std::declval<const Collate&>()(std::declval<const std::vector<Item>&>()));

  /// One pass over the batches. A batch is made when the iterator is dereferenced; with workers, two batches
  /// for each worker are made ahead, as Python's workers do.
  class Iterator {
   public:
    using value_type = Batch;
    using difference_type = std::ptrdiff_t;

    explicit Iterator(const DataLoader& loader) : loader_(&loader) {
      if (loader.options_.num_workers() > 0) make_ahead();
    }
    Batch operator*() const {
      begin();
      return ahead_.empty() ? loader_->batch(order_, batch_ * loader_->batch_size()) : ahead_.front();
    }
    Iterator& operator++() {
      begin();
      ++batch_;
      if (!ahead_.empty()) ahead_.pop_front();
      make_ahead();
      if (batch_ == count_) end();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t /*end*/) const {
      begin();
      return batch_ >= count_;
    }

   private:
    /// Draws the order at the first batch, as Python does.
    void begin() const {
      if (count_ >= 0) return;
      order_ = loader_->order();
      count_ = loader_->batches(static_cast<std::int64_t>(order_.size()));
      if (count_ == 0) end();
    }
    void end() const {
      if (loader_->options_.sampler()) loader_->options_.sampler()->end();
    }
    void make_ahead() {
      begin();
      const auto most = std::min(count_, batch_ + 2 * loader_->options_.num_workers());
      for (auto next = batch_ + static_cast<std::int64_t>(ahead_.size()); next < most; ++next)
        ahead_.push_back(loader_->batch(order_, next * loader_->batch_size()));
    }

    const DataLoader* loader_;
    mutable std::vector<std::int64_t> order_{};
    mutable std::int64_t count_ = -1;
    std::int64_t batch_ = 0;
    std::deque<Batch> ahead_{};  // if there are workers
  };
  Iterator begin() const {
    detail::drawn_seed(options_.generator());  // Python draws the seed of workers even without workers
    return Iterator(*this);
  }
  std::default_sentinel_t end() const { return {}; }

 private:
  std::int64_t batches(std::int64_t items) const {
    return (items + (options_.drop_last() ? 0 : options_.batch_size() - 1)) / options_.batch_size();
  }
  std::vector<std::int64_t> order() const {
    if (options_.sampler()) return options_.sampler()->begin();
    std::vector<std::int64_t> order(static_cast<std::size_t>(detail::length(dataset_)));
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  Batch batch(const std::vector<std::int64_t>& order, std::int64_t start) const {
    std::vector<Item> items;
    const auto end = std::min(start + options_.batch_size(), static_cast<std::int64_t>(order.size()));
    items.reserve(static_cast<std::size_t>(end - start));
    for (auto i = start; i < end; ++i)
      items.push_back(detail::item(dataset_, order[static_cast<std::size_t>(i)]));
    return collate_(items);
  }

  mutable Dataset dataset_;  // get() of a data set of torch::data is not const
  Collate collate_;
  DataLoaderOptions options_;
};

}  // namespace torchbook::data::inline v1
#pragma GCC visibility pop
