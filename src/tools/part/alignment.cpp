// Myers' greedy algorithm, in pieces of a bounded number of edits.
#include <tools/part/alignment.h>

#include <algorithm>

namespace torchbook::trace_diff {
namespace {

using Sequence = std::span<const std::uint64_t>;

constexpr std::ptrdiff_t most_edits = 400;  // of a piece

/// The furthest points that can be reached with `edits` edits. Diagonal k holds the points with
/// here - there = k.
struct Front {
  std::vector<std::ptrdiff_t> reached;  // how many elements of `here` are before the point, by diagonal
  std::ptrdiff_t edits = 0;

  std::ptrdiff_t& at(std::ptrdiff_t diagonal) { return reached[static_cast<std::size_t>(diagonal + edits)]; }
  std::ptrdiff_t at(std::ptrdiff_t diagonal) const {
    return reached[static_cast<std::size_t>(diagonal + edits)];
  }
};

/// Returns the position in `here` at which one more edit reaches diagonal k from the front
/// `before`, without the equal elements that follow.
std::ptrdiff_t step(const Front& before, std::ptrdiff_t k) {
  const bool left_of_all = k == -before.edits - 1;
  const bool right_of_all = k == before.edits + 1;
  if (left_of_all) return before.at(k + 1);
  if (right_of_all) return before.at(k - 1) + 1;
  if (k - 1 < -before.edits) return before.at(k + 1);
  if (k + 1 > before.edits) return before.at(k - 1) + 1;
  return std::max(before.at(k - 1) + 1, before.at(k + 1));
}

/// One piece of the alignment: it begins where the last one ended.
class Piece {
 public:
  Piece(Sequence here, Sequence there) : here_(here), there_(there) {
    const auto start = follow(0, 0);
    fronts_.push_back({.reached = {start}, .edits = 0});
  }

  /// Advances until both sequences end or the limit of edits is reached. Returns the point that it
  /// reached.
  Match run() {
    std::ptrdiff_t best = 0;  // the diagonal of the furthest point
    while (!is_end(best) && fronts_.back().edits < most_edits) best = advance();
    collect(best);
    const auto x = fronts_.back().at(best);
    return {.here = static_cast<std::size_t>(x), .there = static_cast<std::size_t>(x - best)};
  }

  const std::vector<Match>& matches() const { return matches_; }

 private:
  bool is_end(std::ptrdiff_t diagonal) const {
    const auto x = fronts_.back().at(diagonal);
    return x >= std::ssize(here_) && x - diagonal >= std::ssize(there_);
  }

  std::ptrdiff_t follow(std::ptrdiff_t x, std::ptrdiff_t y) const {
    while (x >= 0 && y >= 0 && x < std::ssize(here_) && y < std::ssize(there_) &&
           here_[static_cast<std::size_t>(x)] == there_[static_cast<std::size_t>(y)]) {
      ++x;
      ++y;
    }
    return x;
  }

  /// Adds the front for one more edit. Returns the diagonal of its furthest point.
  std::ptrdiff_t advance() {
    const auto& before = fronts_.back();
    Front front{
        .reached = std::vector<std::ptrdiff_t>(static_cast<std::size_t>(2 * before.edits + 3), outside),
        .edits = before.edits + 1};
    std::ptrdiff_t best = 0;
    std::ptrdiff_t furthest = outside;
    for (std::ptrdiff_t k = -front.edits; k <= front.edits; k += 2) {
      const auto x = step(before, k);
      if (x < 0 || x > std::ssize(here_) || x - k < 0 || x - k > std::ssize(there_)) continue;
      front.at(k) = follow(x, x - k);
      if (2 * front.at(k) - k > furthest) {
        furthest = 2 * front.at(k) - k;
        best = k;
      }
    }
    fronts_.push_back(std::move(front));
    return best;
  }

  /// Traces the path back through the fronts, and collects its equal elements.
  void collect(std::ptrdiff_t k) {
    for (auto i = fronts_.size(); i-- > 0;) {
      auto x = fronts_[i].at(k);
      const auto from = i == 0 ? 0 : step(fronts_[i - 1], k);
      for (; x > from; --x)
        matches_.push_back(
            {.here = static_cast<std::size_t>(x - 1), .there = static_cast<std::size_t>(x - 1 - k)});
      if (i > 0) k = came_from(fronts_[i - 1], k, from);
    }
    std::reverse(matches_.begin(), matches_.end());
  }

  static std::ptrdiff_t came_from(const Front& before, std::ptrdiff_t k, std::ptrdiff_t x) {
    const bool insertion = k + 1 <= before.edits && k + 1 >= -before.edits && before.at(k + 1) == x;
    return insertion ? k + 1 : k - 1;
  }

  static constexpr std::ptrdiff_t outside = -(std::ptrdiff_t{1} << 40);

  Sequence here_;
  Sequence there_;
  std::vector<Front> fronts_;
  std::vector<Match> matches_;
};

}  // namespace

std::vector<Match> align(Sequence here, Sequence there) {
  std::vector<Match> all;
  all.reserve(std::min(here.size(), there.size()));
  Match at;
  while (at.here < here.size() && at.there < there.size()) {
    Piece piece(here.subspan(at.here), there.subspan(at.there));
    const Match reached = piece.run();
    for (const auto& match : piece.matches()) all.push_back({at.here + match.here, at.there + match.there});
    at = {at.here + reached.here, at.there + reached.there};
  }
  return all;
}

}  // namespace torchbook::trace_diff
