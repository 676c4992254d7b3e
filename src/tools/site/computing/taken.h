// Follows numbers that a notebook takes out of tensors and computes with outside of them.
#pragma once

#include <tools/site/computing/numbers.h>

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace torchbook::site {

/// A number that the notebook took out of a tensor. Its further use is not in the trace.
struct TakenNumber {
  std::size_t position = 0;  ///< of the cell
  std::size_t node = 0;
  std::size_t before = 0;   ///< the nodes from here on may depend on it
  bool is_printed = false;  ///< whether it was taken to be printed only, so no node depends on it
};

/// Says which nodes may depend on taken numbers: those with a number that was in no node before it was taken.
class TakenNumbers {
 public:
  /// Records that the element of a tensor was taken.
  void take(TakenNumber one, const Json& elements);
  /// Records that a cell shows a node. That explains why it took a number of it.
  void leave_out(std::size_t position, std::size_t node);
  /// Records that a cell read all of a node without an operation.
  void take_unseen(std::size_t position, std::size_t node);

  /// Returns the node where the last of a node's own numbers came first, or nullopt if it has none. A whole
  /// number counts if it was taken, because sizes and indices are everywhere. The index of
  /// the node after a taken number is the node's own, if it is that number: `x[i]` takes it out of `i`.
  std::optional<std::size_t> since(const Json& node, std::size_t index);

  const std::vector<TakenNumber>& all() const { return all_; }

 private:
  std::vector<TakenNumber> all_;
  std::set<std::string> wholes_;              // that were taken
  std::string last_{};                        // the whole number that was taken last
  std::size_t after_last_ = 0;                // the node after it
  std::map<std::string, std::size_t> first_;  // the first node that has a number
};

}  // namespace torchbook::site
