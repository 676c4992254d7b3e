// Python's data sets and loaders, which draw and collate as torch.utils.data does.
#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace torchbook::data {

/// Draws the number that Python's DataLoader uses as a seed. An undefined generator is the default one.
std::int64_t drawn_seed(const at::Generator& generator = {});

/// Returns the order in which a shuffling DataLoader visits `size` items. It is drawn by `generator`, or by a
/// new one whose seed is a drawn_seed().
std::vector<std::int64_t> shuffled(std::int64_t size, const at::Generator& generator = {});

/// Returns the data set, also if a shared pointer holds it.
template <class Dataset>
const Dataset& itself(const Dataset& dataset) {
  return dataset;
}
template <class Dataset>
Dataset& itself(const std::shared_ptr<Dataset>& dataset) {
  return *dataset;
}

/// Returns the number of items.
template <class Dataset>
std::int64_t length(const Dataset& dataset) {
  if constexpr (std::is_same_v<Dataset, at::Tensor>) {
    return dataset.size(0);
  } else {
    return static_cast<std::int64_t>(itself(dataset).size());
  }
}

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
    return itself(dataset_)[places_.at(static_cast<std::size_t>(place))];
  }

 private:
  Dataset dataset_;
  std::vector<std::int64_t> places_;
};

/// Splits a data set at random into parts of these lengths, as torch.utils.data.random_split does.
/// Draws from `generator`, or from the default generator if it is undefined. Throws
/// std::invalid_argument if the lengths do not add up to the length of the data set.
template <class Dataset>
std::vector<Subset<Dataset>> random_split(const Dataset& dataset, const std::vector<std::int64_t>& lengths,
                                          const at::Generator& generator = {}) {
  std::int64_t total = 0;
  for (const auto part : lengths) total += part;
  if (total != length(dataset))
    throw std::invalid_argument("the lengths do not add up to the length of the data set");
  const at::Tensor order = generator.defined() ? at::randperm(total, generator) : at::randperm(total);
  std::vector<Subset<Dataset>> parts;
  std::int64_t start = 0;
  for (const auto part : lengths) {
    const at::Tensor places = order.slice(/*dim=*/0, start, start + part).contiguous();
    const auto* const first = places.data_ptr<std::int64_t>();
    parts.emplace_back(dataset, std::vector<std::int64_t>(first, first + part));
    start += part;
  }
  return parts;
}

/// Makes one batch of items: stacks tensors, makes tensors of numbers, and collates tuples part by part.
inline at::Tensor collate(const std::vector<at::Tensor>& items) { return at::stack(items); }
at::Tensor collate(const std::vector<std::int64_t>& items);
at::Tensor collate(const std::vector<double>& items);
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

/// The options of a DataLoader, with Python's names.
struct LoaderOptions {
  std::int64_t batch_size = 1;
  bool shuffle = false;
  bool drop_last = false;
  std::int64_t num_workers = 0;
  at::Generator generator{};  ///< undefined for the default generator
};

/// Iterates over the batches of a data set, as torch.utils.data.DataLoader does.
/// Each loop over it draws from the default generator, in Python's order.
template <class Dataset>
class DataLoader {
 public:
  explicit DataLoader(Dataset dataset, LoaderOptions options = {})
      : dataset_(std::move(dataset)), options_(options) {}

  /// The number of batches.
  std::int64_t size() const {
    const auto items = length(dataset_);
    return (items + (options_.drop_last ? 0 : options_.batch_size - 1)) / options_.batch_size;
  }
  std::int64_t batch_size() const { return options_.batch_size; }
  const Dataset& dataset() const { return dataset_; }

  using Item = std::decay_t<decltype(itself(std::declval<const Dataset&>())[std::int64_t{}])>;
  using Batch = decltype(collate(std::declval<const std::vector<Item>&>()));

  /// One pass over the batches. Without workers, a batch is made when the iterator is dereferenced.
  class Iterator {
   public:
    explicit Iterator(const DataLoader& loader) : loader_(&loader) {
      if (loader.options_.num_workers == 0) return;
      // Workers get a copy of the data set when the pass begins, and see no later change of it.
      order_ = loader.order();
      for (std::int64_t i = 0; i < loader.size(); ++i)
        made_.push_back(loader.batch(order_, i * loader.batch_size()));
    }
    auto operator*() const {
      if (!made_.empty()) return made_.at(static_cast<std::size_t>(batch_));
      if (order_.empty()) order_ = loader_->order();  // Python, too, shuffles at the first batch
      return loader_->batch(order_, batch_ * loader_->batch_size());
    }
    Iterator& operator++() {
      ++batch_;
      return *this;
    }
    bool operator==(std::default_sentinel_t /*end*/) const { return batch_ == loader_->size(); }

   private:
    const DataLoader* loader_;
    mutable std::vector<std::int64_t> order_{};
    std::vector<Batch> made_{};  // if there are workers
    std::int64_t batch_ = 0;
  };
  Iterator begin() const {
    drawn_seed(options_.generator);  // Python draws the seed of workers even without workers
    return Iterator(*this);
  }
  std::default_sentinel_t end() const { return {}; }

 private:
  std::vector<std::int64_t> order() const {
    if (options_.shuffle) return shuffled(length(dataset_), options_.generator);
    std::vector<std::int64_t> order(static_cast<std::size_t>(length(dataset_)));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
    return order;
  }
  Batch batch(const std::vector<std::int64_t>& order, std::int64_t start) const {
    std::vector<Item> items;
    const auto end = std::min(start + options_.batch_size, static_cast<std::int64_t>(order.size()));
    for (auto i = start; i < end; ++i) items.push_back(itself(dataset_)[order[static_cast<std::size_t>(i)]]);
    return collate(items);
  }

  Dataset dataset_;
  LoaderOptions options_;
};

/// Returns the tensors of a batch as a list, because a batch is a list in Python.
template <class... Tensors>
std::vector<at::Tensor> list(const std::tuple<Tensors...>& batch) {
  return std::apply([](const auto&... each) { return std::vector<at::Tensor>{each...}; }, batch);
}

/// Python's `iter(loader)`: one pass over a loader. It keeps the loader alive.
template <class Loader>
class Pass {
 public:
  explicit Pass(Loader loader)
      : loader_(std::make_shared<const Loader>(std::move(loader))), at_(loader_->begin()) {}

  /// Python's `next(batches)`. Throws std::out_of_range after the last batch.
  auto next() {
    if (at_ == std::default_sentinel) throw std::out_of_range("there is no further batch");
    auto batch = *at_;
    ++at_;
    return batch;
  }

 private:
  std::shared_ptr<const Loader> loader_;
  typename Loader::Iterator at_;
};

}  // namespace torchbook::data
