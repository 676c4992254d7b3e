// Keeps the nodes that a program needs. If they are too many, cuts out the largest cells.
#pragma once

#include <tools/site/computing/nodes.h>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace torchbook::site {

/// The nodes of a program. Of a cell that is cut out, only nodes shown or used elsewhere are left, as walls:
/// each depends on the one before it and on the operands of the cell.
class Kept {
 public:
  /// Keeps nodes and their operands. `roots` are needed also where their cell is cut out.
  Kept(const Nodes& nodes, std::set<std::size_t> roots);

  /// Makes the nodes have at most `largest` bytes, as far as it can: leaves out the numbers with which a page
  /// only checks what it computes or, if that is not enough, cuts out cells, those with the most bytes first.
  void cut_to(std::size_t largest);

  /// Returns the nodes as JSON.
  Json tensors() const;
  /// Returns the numbers that the notebook took, as pairs of a tensor and the number of tensors before that.
  Json taken() const;
  /// Returns the number of a node in the program, or nullopt if the program does not have it.
  std::optional<std::size_t> place(std::size_t node) const;
  /// Returns whether a cell was cut out.
  bool is_cut(std::size_t cell) const { return cut_.contains(cell); }

 private:
  void leave_needed();
  bool lighten_to(std::size_t largest);
  std::optional<std::size_t> last_taken_in(std::size_t cell) const;
  std::vector<std::size_t> exits_of(std::size_t cell) const;
  void cut(std::size_t cell);
  std::size_t rank(std::size_t node) const;

  const Nodes& nodes_;
  std::set<std::size_t> roots_;
  // Each kept node as JSON before it is renumbered, and the length of that JSON in bytes.
  std::map<std::size_t, std::pair<Json, std::size_t>> kept_;
  // The cells that were cut out, the last first: it may need less of those before it.
  std::set<std::size_t, std::greater<std::size_t>> cut_;
  std::vector<std::size_t> order_;  // the kept nodes in order
  std::vector<TakenNumber> taken_;
};

}  // namespace torchbook::site
