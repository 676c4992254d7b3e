#include <fmt/format.h>
#include <tools/seed/command/seed_search.h>
#include <torchbook/cli/system/files.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <thread>

namespace torchbook::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// The number of seeds that a thread searches at a time.
constexpr std::uint64_t piece = 1 << 17;
constexpr auto quiet = std::chrono::seconds(2), pause = std::chrono::seconds(10);

/// Reports the progress of the search, at most every ten seconds.
class Progress {
 public:
  Progress(std::string name, const rng::Seeds& seeds) : name_(std::move(name)), seeds_(seeds) {}

  void tell(std::uint64_t next) {
    const auto now = Clock::now();
    const auto done = std::min(next - seeds_.first, seeds_.count);
    if (now < next_ || done == 0) return;
    next_ = now + pause;
    const double rate = static_cast<double>(done) / std::chrono::duration<double>(now - start_).count();
    say_on_stderr(fmt::format("{}: {:.1f}% of the seeds, {:.3g} million a second, {:.0f} s left", name_,
                              100 * static_cast<double>(done) / static_cast<double>(seeds_.count), rate / 1e6,
                              static_cast<double>(seeds_.count - done) / rate));
  }

 private:
  std::string name_;
  rng::Seeds seeds_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + quiet;
};

}  // namespace

std::vector<rng::State> search_seeds(const rng::Search& search, const rng::Seeds& seeds,
                                     const std::string& name) {
  const auto end = seeds.first + seeds.count;
  std::atomic next = seeds.first;
  const auto work = [&] {
    std::vector<rng::State> found;
    for (auto first = next.fetch_add(piece); first < end; first = next.fetch_add(piece)) {
      const auto passed = rng::scan(search, {first, std::min(piece, end - first)});
      found.insert(found.end(), passed.begin(), passed.end());
    }
    return found;
  };
  std::vector<std::future<std::vector<rng::State>>> threads;
  for (unsigned i = std::max(1U, std::thread::hardware_concurrency()); i > 0; --i) {
    threads.push_back(std::async(std::launch::async, work));
  }
  Progress progress(name, seeds);
  std::vector<rng::State> found;
  for (auto& thread : threads) {
    while (thread.wait_for(std::chrono::seconds(1)) != std::future_status::ready) progress.tell(next);
    const auto passed = thread.get();
    found.insert(found.end(), passed.begin(), passed.end());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace torchbook::cli
