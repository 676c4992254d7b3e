// Puts the outermost operations of both sides side by side.
#include <tools/part/comparison.h>

#include <algorithm>
#include <numeric>

namespace torchbook::trace_diff {

/// Keeps operations as rows. `region` is 0 for a pair.
void Comparison::keep_rows(const Steps& here, const Steps& there, Number region) {
  const auto count = std::max(here.size(), there.size());
  for (std::size_t i = 0; i < count; ++i) {
    Row row{.pair = {}, .difference = 0, .matched = region == 0};
    if (i < here.size()) row.pair.here = here[i];
    if (i < there.size()) row.pair.there = there[i];
    result_.rows.push_back(row);
    row_regions_.push_back(region);
  }
}

/// Sorts the rows by the operations here. A row without one follows the row that was kept before it.
void Comparison::sort_rows() {
  std::vector<std::pair<std::uint32_t, std::size_t>> order;  // an operation here, and the row's place
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < result_.rows.size(); ++i) {
    if (result_.rows[i].pair.here != no_operation) at = result_.rows[i].pair.here;
    order.emplace_back(at, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<Row> rows;
  std::vector<Number> regions;
  for (const auto& [operation, place] : order) {
    rows.push_back(result_.rows[place]);
    regions.push_back(row_regions_[place]);
  }
  result_.rows = std::move(rows);
  row_regions_ = std::move(regions);
}

/// Sorts the differences, and sets the difference that each row and each shown tensor follows from.
void Comparison::sort_differences() {
  auto& differences = result_.differences;
  std::vector<Number> order(differences.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Number one, Number other) {
    const auto& a = differences[one];
    const auto& b = differences[other];
    return a.kind != b.kind ? a.kind < b.kind : a.at < b.at;
  });
  std::vector<Number> places(differences.size() + 1);  // by the number of a difference; 0 stays 0
  std::vector<Difference> sorted;
  sorted.reserve(differences.size());
  for (const auto index : order) {
    sorted.push_back(std::move(differences[index]));
    places[index + 1] = static_cast<Number>(sorted.size());
  }
  differences = std::move(sorted);
  for (std::size_t i = 0; i < result_.rows.size(); ++i) {
    const auto region = row_regions_[i];
    const auto cause =
        region == 0 ? known_here_[result_.rows[i].pair.here].cause : regions_[region - 1].cause;
    result_.rows[i].difference = places[cause];
  }
  for (auto& one : result_.shown) one.difference = places[one.difference];
}

}  // namespace torchbook::trace_diff
