// Distributes pieces of the seeds over threads.
#include <fmt/format.h>
#include <tools/seed/command/seed_search.h>
#include <torchbook/cli/system/files.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <vector>

namespace torchbook::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// The number of seeds in a piece. An interrupted piece is searched again later.
constexpr std::uint64_t piece = 1 << 17;
constexpr auto quiet = std::chrono::seconds(2), pause = std::chrono::seconds(10);

/// The seeds of a search, handed out in pieces.
class Pieces {
 public:
  Pieces(const rng::Search& search, SeedState& state)
      : search_(search), state_(state), handed_out_(state.next) {}

  /// Searches pieces until there are no more.
  void work() {
    while (const auto seeds = take()) {
      const auto found = rng::scan(search_, *seeds);
      const std::lock_guard lock(mutex_);
      state_.found.insert(state_.found.end(), found.begin(), found.end());
      in_work_.erase(seeds->first);
      state_.next = in_work_.empty() ? handed_out_ : *in_work_.begin();
    }
  }

  void stop() { stopped_ = true; }

  std::uint64_t done() {
    const std::lock_guard lock(mutex_);
    return state_.next;
  }

 private:
  std::optional<rng::Seeds> take() {
    const std::lock_guard lock(mutex_);
    if (stopped_ || handed_out_ >= state_.end) return std::nullopt;
    const rng::Seeds seeds{handed_out_, std::min(piece, state_.end - handed_out_)};
    in_work_.insert(seeds.first);
    handed_out_ += seeds.count;
    return seeds;
  }

  const rng::Search& search_;
  SeedState& state_;
  std::mutex mutex_{};
  std::uint64_t handed_out_;
  std::set<std::uint64_t> in_work_{};  ///< the first seeds of the pieces in work
  std::atomic<bool> stopped_ = false;
};

/// Reports the progress of the search, at most every ten seconds.
class Progress {
 public:
  Progress(std::string name, const SeedState& state)
      : name_(std::move(name)), first_(state.next), end_(state.end) {}

  void tell(std::uint64_t done) {
    const auto now = Clock::now();
    if (now < next_ || done == first_) return;
    next_ = now + pause;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double rate = static_cast<double>(done - first_) / seconds;
    say_on_stderr(fmt::format("{}: {:.1f}% of the seeds, {:.3g} million a second, {:.0f} s left", name_,
                              100 * static_cast<double>(done - first_) / static_cast<double>(end_ - first_),
                              rate / 1e6, static_cast<double>(end_ - done) / rate));
  }

 private:
  std::string name_;
  std::uint64_t first_, end_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_ + quiet;
};

}  // namespace

int search_seeds(const rng::Search& search, SeedState& state, const std::string& name,
                 const Undisturbed& undisturbed) {
  Pieces pieces(search, state);
  Progress progress(name, state);
  std::atomic<unsigned> working = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::jthread> threads(working);
  for (auto& thread : threads) {
    thread = std::jthread([&] {
      pieces.work();
      --working;
    });
  }
  int signal = 0;
  while (working > 0 && signal == 0) {
    signal = undisturbed.signal_that_waits();
    progress.tell(pieces.done());
  }
  pieces.stop();
  for (auto& thread : threads) thread.join();
  std::sort(state.found.begin(), state.found.end());
  state.found.erase(std::unique(state.found.begin(), state.found.end()), state.found.end());
  return signal;
}

}  // namespace torchbook::cli
