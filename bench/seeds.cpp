// Measures the search for a seed: against a plain one, one offset against 609, and against what the units
// could do.
//
//   cmake --build --preset release --target torchbook_bench_seeds && build/release/bin/torchbook_bench_seeds
//
// Everything runs on one thread, in rounds that alternate, and counts processor time. The least of all rounds
// counts.
#include <torchbook/rng/mt19937.h>
#include <torchbook/rng/scan.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace {

using torchbook::rng::middle, torchbook::rng::seeding_factor;

constexpr std::uint32_t in_register = 16;
constexpr std::uint64_t seeds = 224 * 3072;

double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Returns the seconds that `work` takes.
double seconds(const std::function<void()>& work) {
  const double start = processor_time();
  work();
  return processor_time() - start;
}

/// Counts seeds whose first draw passes: sixteen seeds a register, in loops that the compiler vectorizes.
template <std::uint32_t lanes>
std::uint64_t plain(const torchbook::rng::DrawTest& test, std::uint32_t first) {
  std::uint64_t found = 0;
  for (std::uint64_t done = 0; done < seeds; done += lanes) {
    std::uint32_t word[lanes], words[2][lanes], passed = 0;
    for (std::uint32_t lane = 0; lane < lanes; ++lane)
      words[0][lane] = word[lane] = first + static_cast<std::uint32_t>(done) + lane;
    for (std::uint32_t i = 1; i <= middle; ++i) {
      for (std::uint32_t lane = 0; lane < lanes; ++lane)
        word[lane] = seeding_factor * (word[lane] ^ word[lane] >> 30) + i;
      if (i == 1) std::copy(word, word + lanes, words[1]);
    }
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const auto draw =
          torchbook::rng::temper(word[lane] ^ torchbook::rng::twist(words[0][lane], words[1][lane]));
      passed += draw * test.factor - test.offset <= test.limit ? 1 : 0;
    }
    found += passed;
  }
  return found;
}

using Register = std::uint32_t __attribute__((vector_size(4 * in_register)));
volatile std::uint32_t sink;

/// Does as many seeding steps as one offset needs, in enough independent chains that none waits for
/// another.
void steps_at_best() {
  constexpr int chains = 14;
  Register chain[chains];
  for (int c = 0; c < chains; ++c) chain[c] = Register{} + static_cast<std::uint32_t>(c);
  for (std::uint64_t step = 0; step < seeds / in_register * middle; step += chains) {
#pragma GCC unroll 14
    for (int c = 0; c < chains; ++c)
      chain[c] = (chain[c] ^ chain[c] >> 30) * seeding_factor + static_cast<std::uint32_t>(step);
  }
  Register sum{};
  for (int c = 0; c < chains; ++c) sum ^= chain[c];
  sink = sum[0];
}

/// Returns a search for sixteen values of rand with four digits that no seed gives.
torchbook::rng::Search search(std::uint32_t last_offset) {
  torchbook::rng::Search result{.last_offset = last_offset};
  for (std::uint32_t draw = 0; draw < 16; ++draw)
    result.tests.push_back(torchbook::rng::test_of_range(draw, 24, 1'000'000 * draw + 12345, 1677));
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 15;
  const auto one = search(0), all = search(608);
  constexpr std::array versions{&plain<16>, &plain<32>, &plain<64>, &plain<128>};
  std::array<double, versions.size()> plain_times{1e9, 1e9, 1e9, 1e9};
  double one_time = 1e9, all_time = 1e9, best_time = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const auto first = static_cast<std::uint32_t>(round) * 10'000'000;
    for (std::size_t i = 0; i < versions.size(); ++i) {
      const auto count = [&] { sink = static_cast<std::uint32_t>(versions[i](one.tests[0], first)); };
      plain_times[i] = std::min(plain_times[i], seconds(count));
    }
    one_time = std::min(one_time, seconds([&] {
                          sink = static_cast<std::uint32_t>(scan(one, {first, seeds}).size());
                        }));
    best_time = std::min(best_time, seconds(steps_at_best));
    all_time = std::min(all_time, seconds([&] {
                          sink = static_cast<std::uint32_t>(scan(all, {first, seeds}).size());
                        }));
  }
  const auto rate = [](double time) { return static_cast<double>(seeds) / time / 1e6; };
  std::printf("one thread, %s, millions of seeds a second\n", torchbook::rng::scan_targets().front().c_str());
  for (std::size_t i = 0; i < versions.size(); ++i)
    std::printf("plain, %3d seeds in a loop    %7.1f\n", 16 << i, rate(plain_times[i]));
  std::printf(
      "scan, one offset             %7.1f   %.2f times the plain one of 64 seeds, %.2f times that of 128\n",
      rate(one_time), plain_times[2] / one_time, plain_times[3] / one_time);
  std::printf("the same steps, none waiting %7.1f   one offset reaches %.0f%% of it\n", rate(best_time),
              100 * best_time / one_time);
  std::printf("scan, 609 offsets            %7.1f   %.2f times the time of one; target at most 4.00\n",
              rate(all_time), all_time / one_time);
}
