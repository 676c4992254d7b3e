// Measures with Google Benchmark how fast pyrepr, LibTorch's own << and a bare loop of fmt print the same
// numbers. bench/printing.py writes the numbers to the folder that TORCHBOOK_BENCH_DATA names.
#include <ATen/ATen.h>
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <torchbook/pyrepr/module.h>
#include <torchbook/pyrepr/pyrepr.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>

#include "gpt2.h"

namespace {

using torchbook::pyrepr::PrintOptions;

/// Returns the float32 numbers of a file as a vector.
at::Tensor numbers(const std::string& name) {
  const char* folder = std::getenv("TORCHBOOK_BENCH_DATA");
  if (folder == nullptr) throw std::runtime_error("TORCHBOOK_BENCH_DATA is not set; run bench/printing.py");
  std::ifstream file(std::string(folder) + "/" + name, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const auto count = static_cast<std::int64_t>(bytes.size() / sizeof(float));
  return at::from_blob(bytes.data(), {count}, at::kFloat).clone();
}

void pyrepr_of(benchmark::State& state, const at::Tensor& tensor, const PrintOptions& options) {
  for (auto _ : state) benchmark::DoNotOptimize(torchbook::pyrepr::repr(tensor, options));
}

void pyrepr_of_module(benchmark::State& state, const torch::nn::Module& module) {
  for (auto _ : state) benchmark::DoNotOptimize(torchbook::pyrepr::repr(module));
}

void pyrepr_of_state(benchmark::State& state, const gpt2::State& dict) {
  for (auto _ : state) benchmark::DoNotOptimize(torchbook::pyrepr::repr(dict));
}

void stream_of(benchmark::State& state, const at::Tensor& tensor) {
  for (auto _ : state) {
    std::ostringstream out;
    out << tensor;
    benchmark::DoNotOptimize(out.str());
  }
}

/// Formats only the numbers, without any layout.
void fmt_of(benchmark::State& state, const at::Tensor& tensor, bool scientific) {
  const float* data = tensor.data_ptr<float>();
  for (auto _ : state) {
    std::string out;
    auto to = std::back_inserter(out);
    for (std::int64_t i = 0; i < tensor.numel(); ++i) {
      scientific ? fmt::format_to(to, "{:.4e}", data[i]) : fmt::format_to(to, "{:7.4f}", data[i]);
    }
    benchmark::DoNotOptimize(out);
  }
}

void register_benchmarks() {
  for (const bool scientific : {false, true}) {
    const std::string name = scientific ? "scientific" : "fixed";
    const at::Tensor tensor = numbers(name);
    benchmark::RegisterBenchmark(("pyrepr/" + name).c_str(), pyrepr_of, tensor, PrintOptions::full_profile());
    benchmark::RegisterBenchmark(("stream/" + name).c_str(), stream_of, tensor);
    benchmark::RegisterBenchmark(("fmt/" + name).c_str(), fmt_of, tensor, scientific);
  }
  const at::Tensor small = numbers("fixed").slice(0, 0, 36).view({6, 6});
  benchmark::RegisterBenchmark("pyrepr/6x6", pyrepr_of, small, PrintOptions());
  benchmark::RegisterBenchmark("stream/6x6", stream_of, small);
  for (const std::int64_t size : {40, 400, 4000}) {
    benchmark::RegisterBenchmark(("pyrepr/summary of " + std::to_string(size)).c_str(), pyrepr_of,
                                 at::ones({size, size}).cumsum(0) / 7, PrintOptions());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const gpt2::GPT2 model;
  if (argc == 2 && std::string(argv[1]) == "--gpt2") {
    torchbook::pyrepr::print(model);
    torchbook::pyrepr::print(gpt2::state_dict(model));
    return 0;
  }
  register_benchmarks();
  benchmark::RegisterBenchmark("pyrepr/gpt2",
                               [&](benchmark::State& state) { pyrepr_of_module(state, model); });
  const gpt2::State dict = gpt2::state_dict(model);
  benchmark::RegisterBenchmark("pyrepr/state_dict",
                               [&](benchmark::State& state) { pyrepr_of_state(state, dict); });
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
