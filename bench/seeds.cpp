// Measures the search for a seed: against a plain one, against the limit of the processor's units, and for
// calls of several kinds.
//
//   cmake --build --preset release --target torchbook_bench_seeds
//   build/release/bin/torchbook_bench_seeds [ROUNDS [THREADS]]
//
// Each piece of work runs in THREADS threads at once, and counts the processor time of the slowest. All
// pieces alternate, and the least time of ROUNDS rounds counts, so that other programs disturb all of them
// alike.
#include <tools/seed/rng/mt19937.h>
#include <tools/seed/rng/scan.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace {

using torchbook::rng::DrawTest, torchbook::rng::Search, torchbook::rng::middle,
    torchbook::rng::seeding_factor;

constexpr std::uint32_t in_register = 16;
constexpr std::uint64_t seeds = 256 * 2688;

double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
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

/// What is measured: work on the seeds from a number on.
struct Piece {
  std::string name;
  std::function<void(std::uint32_t)> work;
  double least = 1e9;  ///< seconds of the best round

  double rate() const { return static_cast<double>(seeds) / least / 1e6; }
};

/// Runs a round in all threads at once.
void run(Piece& piece, std::uint32_t first, int threads) {
  std::vector<double> seconds(threads);
  {
    std::vector<std::jthread> running;
    for (auto& time : seconds) {
      running.emplace_back([&piece, &time, first] {
        const double start = processor_time();
        piece.work(first);
        time = processor_time() - start;
      });
    }
  }
  piece.least = std::min(piece.least, *std::max_element(seconds.begin(), seconds.end()));
}

/// Returns a search for `count` draws that no seed gives. `test_of` makes the test of a draw from a number.
Search search(std::uint32_t count, std::uint32_t every,
              const std::function<DrawTest(std::uint32_t draw, std::uint32_t number)>& test_of) {
  Search result;
  torchbook::rng::Mt19937 numbers(1);
  for (std::uint32_t i = 0; i < count; ++i) result.tests.push_back(test_of(i * every, numbers()));
  return result;
}

Search rand(std::uint32_t count) {  // four digits
  return search(count, 1, [](std::uint32_t draw, std::uint32_t number) {
    return torchbook::rng::test_of_range(draw, 24, number >> 8, 1677);
  });
}

Search randint(std::uint32_t high, std::uint32_t count) {
  return search(count, 1, [high](std::uint32_t draw, std::uint32_t number) {
    return torchbook::rng::test_of_rest(draw, high, number % high);
  });
}

Search dropout(double p, std::uint32_t count) {
  const auto zeros = static_cast<std::uint32_t>(p * (1 << 21));
  return search(count, 2, [zeros](std::uint32_t draw, std::uint32_t number) {
    return number >> 11 < zeros ? torchbook::rng::test_of_range(draw, 21, 0, zeros - 1)
                                : torchbook::rng::test_of_range(draw, 21, zeros, (1 << 21) - 1 - zeros);
  });
}

Search randperm(std::uint32_t count) {
  return search(count - 1, 1, [count](std::uint32_t draw, std::uint32_t number) {
    return torchbook::rng::test_of_rest(draw, count - draw, number % (count - draw));
  });
}

Piece scanned(const std::string& name, Search search, std::uint32_t last_offset) {
  search.last_offset = last_offset;
  return {name, [search](std::uint32_t first) {
            sink = static_cast<std::uint32_t>(scan(search, {first, seeds}).size());
          }};
}

template <std::uint32_t lanes>
Piece plain_piece() {
  return {"plain, " + std::to_string(lanes) + " seeds in a loop", [](std::uint32_t first) {
            sink = static_cast<std::uint32_t>(plain<lanes>(rand(1).tests[0], first));
          }};
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 15, threads = argc > 2 ? std::atoi(argv[2]) : 1;
  std::vector<Piece> limits = {
      plain_piece<16>(),  plain_piece<32>(),
      plain_piece<64>(),  plain_piece<128>(),
      plain_piece<256>(), {"the same steps, none waiting", [](std::uint32_t) { steps_at_best(); }}};
  const std::vector<std::pair<std::string, Search>> calls = {{"rand(16)", rand(16)},
                                                             {"rand(64)", rand(64)},
                                                             {"randint(2, (48,))", randint(2, 48)},
                                                             {"randint(2, (200,))", randint(2, 200)},
                                                             {"randint(10, (30,))", randint(10, 30)},
                                                             {"dropout(ones(81), 0.5)", dropout(0.5, 81)},
                                                             {"dropout(ones(300), 0.1)", dropout(0.1, 300)},
                                                             {"randperm(25)", randperm(25)}};
  std::vector<Piece> one, all;
  for (const auto& [name, search] : calls) {
    one.push_back(scanned(name, search, 0));
    all.push_back(scanned(name, search, 608));
  }
  for (int round = 0; round < rounds; ++round) {
    for (auto* pieces : {&limits, &one, &all}) {
      for (auto& piece : *pieces) run(piece, static_cast<std::uint32_t>(round) * 10'000'000, threads);
    }
  }
  std::printf("threads: %d, %s; millions of seeds a second and thread\n", threads,
              torchbook::rng::scan_targets().front().c_str());
  for (const auto& piece : limits)
    std::printf("%-29s %7.1f   one offset: %.2f times\n", piece.name.c_str(), piece.rate(),
                piece.least / one[0].least);
  std::printf("%-29s %7s %7s   609 in times of one; the times of rand(16)\n", "scan", "offset", "609");
  for (std::size_t i = 0; i < calls.size(); ++i)
    std::printf("%-29s %7.1f %7.1f   %.2f; %.2f and %.2f\n", one[i].name.c_str(), one[i].rate(),
                all[i].rate(), all[i].least / one[i].least, one[i].least / one[0].least,
                all[i].least / all[0].least);
}
