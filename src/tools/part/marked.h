// Lists the differences in each part of two marked programs, such as the cells of a notebook.
#pragma once

#include <tools/part/difference.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

namespace torchbook::trace_diff {

/// What differs after a mark.
struct Marked {
  std::set<std::size_t> arises{};    ///< indices of the differences whose operations are there
  std::set<std::size_t> follows{};   ///< indices of those that arise elsewhere, and have an effect there
  const ShownPair* shown = nullptr;  ///< the first tensor shown there that differs though no operation does
};

/// Returns the mark at which a difference arises, or 0.
std::uint32_t mark_of(const ReadTrace& here, const ReadTrace& there, const Difference& difference);

/// Returns the differences by the number of the mark's text. The result refers to `comparison`. If
/// a trace was cut off, the operations after that place in the other one do not count.
std::map<std::uint32_t, Marked> by_mark(const ReadTrace& here, const ReadTrace& there,
                                        const TraceComparison& comparison);

}  // namespace torchbook::trace_diff
