// Follows the names of entries, which ports set by `nb.axis` and `nb.words`, through the operations of a
// trace.
#pragma once

#include <tools/part/flow.h>
#include <tools/site/origin/pictures.h>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::site {

/// The names of the entries of a value. Values share them.
struct ValueNames {
  using Names = std::shared_ptr<const std::vector<EntryName>>;

  std::vector<Names> dims{};  ///< by dimension; nullptr if it has no names. Empty if none has.
  EntryName row{};            ///< of the row that the value is a part of

  EntryNames copied() const;
};

/// A product that a loop may have written element by element.
struct NamedProduct {
  struct Side {
    std::size_t value = 0;
    std::optional<std::int64_t> row{};  ///< the row of a matrix, if only that row takes part
  };

  Side left{};
  Side right{};
  bool transposed = false;
};

/// Returns the words of which the elements of values are ids, by value.
std::map<std::size_t, std::vector<std::string>> words_of_ids(const trace_diff::Flow& flow);

/// Returns the names of each value's entries, or an empty list if the trace names no axis. Rows of a product
/// have the names of its left operand, columns those of its right one. Elementwise operations keep names that
/// do not contradict each other. `products` are the products that are known by value.
std::vector<ValueNames> entry_names(const trace_diff::Flow& flow,
                                    const std::map<std::size_t, NamedProduct>& products);

}  // namespace torchbook::site
