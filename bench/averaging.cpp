// Times the three ways of the notebook mathematical_trick to average the past, and a running sum, for
// bench/averaging.py: averaging WAY T ROUNDS prints the seconds of the fastest round, and a checksum.
#include <fmt/format.h>
#include <malloc.h>
#include <torch/torch.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

namespace {

using torch::Tensor;
using torch::indexing::None;
using torch::indexing::Slice;

constexpr std::int64_t B = 4;
constexpr std::int64_t C = 64;

/// A mean for each t: the first way.
Tensor loop(const Tensor& x, std::int64_t T) {
  Tensor xbow = torch::zeros({B, T, C});  // (B, T, C)
  for (std::int64_t b = 0; b < B; ++b) {
    for (std::int64_t t = 0; t < T; ++t) {
      const Tensor past = x.index({b, Slice(None, t + 1)});  // (t + 1, C)
      xbow.index_put_({b, t}, torch::mean(past, 0));
    }
  }
  return xbow;
}

/// A product with a triangle whose rows are divided by their sums: the second way.
Tensor product(const Tensor& x, std::int64_t T) {
  Tensor weights = torch::tril(torch::ones({T, T}));  // (T, T)
  weights = weights / torch::sum(weights, 1, true);   // (T, T) / (T, 1)
  return torch::matmul(weights, x);                   // (B, T, C)
}

/// A softmax of masked scores: the third way.
Tensor masked_softmax(const Tensor& x, std::int64_t T) {
  const Tensor tril = torch::tril(torch::ones({T, T}));  // (T, T)
  Tensor scores = torch::zeros({T, T});
  scores = scores.masked_fill(tril == 0, -std::numeric_limits<float>::infinity());
  return torch::matmul(torch::softmax(scores, 1), x);  // (B, T, C)
}

/// A sum that runs along, divided by how many rows it has. LibTorch's cumsum goes through each column by
/// itself; here each row is read once. Both add in double precision.
Tensor running_sum(const Tensor& x, std::int64_t T) {
  Tensor means = torch::empty_like(x);  // (B, T, C)
  const float* from = x.data_ptr<float>();
  float* to = means.data_ptr<float>();
  for (std::int64_t b = 0; b < B; ++b) {
    std::array<double, C> sums{};
    for (std::int64_t t = 0; t < T; ++t, from += C, to += C) {
      const auto count = static_cast<float>(t + 1);
      for (std::size_t c = 0; c < C; ++c) {
        sums[c] += from[c];
        to[c] = static_cast<float>(sums[c]) / count;
      }
    }
  }
  return means;
}

/// Only the memory that any way must move: x is read once, and a result written once.
Tensor copy(const Tensor& x, std::int64_t /*T*/) { return x.clone(); }

Tensor average(std::string_view way, const Tensor& x, std::int64_t T) {
  if (way == "loop") return loop(x, T);
  if (way == "product") return product(x, T);
  if (way == "softmax") return masked_softmax(x, T);
  if (way == "copy") return copy(x, T);
  if (way == "running sum") return running_sum(x, T);
  throw std::invalid_argument("WAY is loop, product, softmax, running sum or copy");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 4) throw std::invalid_argument("usage: torchbook_bench_averaging WAY T ROUNDS");
    const std::string way = argv[1];
    const std::int64_t T = std::stol(argv[2]);
    // Freed memory is kept, so that no round waits for the kernel's pages.
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    torch::manual_seed(1337);
    const Tensor x = torch::randn({B, T, C});  // (B, T, C)
    Tensor result = average(way, x, T);
    auto fastest = std::chrono::duration<double>::max();
    for (long round = std::stol(argv[3]); round > 0; --round) {
      const auto start = std::chrono::steady_clock::now();
      result = average(way, x, T);
      fastest = std::min(fastest, std::chrono::duration<double>(std::chrono::steady_clock::now() - start));
    }
    fmt::print("{} {}\n", fastest.count(), result.sum().item<double>());
  } catch (const std::exception& error) {
    fmt::print(stderr, "torchbook_bench_averaging: {}\n", error.what());
    return 2;
  }
}
