// Measures the cost of recording a trace: per operation, and per byte that is hashed.
//
// The same operations run alternately with and without a trace, so that both see the same state of
// the machine.
#include <torch/torch.h>
#include <torchbook/trace/trace.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace {

/// Returns the processor time that this process has used.
double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double seconds(const std::function<void()>& work) {
  const double start = now();
  work();
  return now() - start;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

using Recorded = std::function<double(const std::function<void()>& all)>;

/// Prints the slowdown of `work` when it is recorded, and the extra time per repetition.
void measure(const char* name, const Recorded& recorded_seconds, int repeats, double bytes,
             const std::function<void()>& work) {
  const auto all = [&] {
    for (int i = 0; i < repeats; ++i) work();
  };
  std::vector<double> ratios;
  std::vector<double> extra;
  for (int round = 0; round < 10; ++round) {
    const double plain = seconds(all);
    const double recorded = recorded_seconds(all);
    if (round == 0) continue;  // it warms up
    ratios.push_back(recorded / plain);
    extra.push_back((recorded - plain) / repeats);
  }
  const double more = median(extra);
  std::printf("%-34s %7.2f times as long, %9.1f us more", name, median(ratios), more * 1e6);
  if (bytes > 0) std::printf(", %5.2f GB/s", bytes / more / 1e9);
  std::puts("");
}

}  // namespace

int main(int count, char** arguments) {
  const std::string file = count > 1 ? arguments[1] : "bench.trace";
  const torch::NoGradGuard no_grad;
  at::set_num_threads(1);
  const auto small = torch::rand({4, 4});
  const auto large = torch::rand({2048, 2048});
  const auto square = torch::rand({1024, 1024});
  const double all = 2.0 * static_cast<double>(large.nbytes());
  auto net =
      torch::nn::Sequential(torch::nn::Linear(512, 2048), torch::nn::ReLU(), torch::nn::Linear(2048, 512));
  const auto batch = torch::rand({256, 512});

  const Recorded recorded = [&](const auto& work) {
    torchbook::Trace trace(file);
    return seconds(work);
  };

  measure("neg of 16 numbers", recorded, 10000, 0, [&] { small.neg(); });
  measure("neg of 4 Mi numbers", recorded, 10, all, [&] { large.neg(); });
  measure("neg of 4 Mi numbers, transposed", recorded, 10, all, [&] { large.t().neg(); });
  measure("product of 1024 x 1024 matrices", recorded, 4, 0, [&] { square.mm(square); });
  measure("two linear layers, 256 rows", recorded, 10, 0, [&] { net->forward(batch); });

  const std::string_view bytes(static_cast<const char*>(large.data_ptr()), large.nbytes());
  std::vector<double> rates;
  for (int round = 0; round < 9; ++round) {
    std::uint64_t hash = 0;
    rates.push_back(static_cast<double>(bytes.size()) /
                    seconds([&] { hash = XXH3_64bits(bytes.data(), bytes.size()); }) / 1e9);
    if (hash == 0) return 1;
  }
  std::printf("%-34s %35.2f GB/s\n", "the hash alone", median(rates));
}
