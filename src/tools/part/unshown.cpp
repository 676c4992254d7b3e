// Finds the operations that differ although no cell shows it.
#include <fmt/format.h>
#include <tools/part/description.h>
#include <tools/part/side.h>
#include <torchbook/notebook/parse_integer.h>
#include <torchbook/report/quoted.h>

#include <algorithm>
#include <string_view>

namespace torchbook::trace_diff {
namespace {

/// An operation whose output the other trace does not have.
struct Alone {
  /// Of its cell, or of the cell after its restored state; the first one if it ran before all. 0 if there is
  /// none.
  std::size_t position = 0;
  std::string words{};  ///< `mul_ there (layer.py:28)`
};

/// Returns the first operation with bits that the other side never had. The order of operations does not
/// matter, because C++ evaluates operands in any order. Numbers that `fill_` wrote do not count, because
/// Python makes a tensor of numbers without an operation.
Alone first_alone(const ComparedTraces& traces, const Side& side, const Side& other, std::string_view where) {
  for (const auto step : side.steps(no_operation)) {
    const auto& one = side.trace.operations[step];
    const auto name = plain_name(traces.texts[one.name]);
    const auto outputs = tensors_in(side.trace, side.trace.outputs(step));
    const bool had = std::all_of(outputs.begin(), outputs.end(), [&](auto tensor) {
      const auto hash = side.trace.tensors[tensor].hash;
      return hash == 0 || other.gave(hash);
    });
    if (had || name == "fill_") continue;
    const auto line = one.line == 0 ? "" : fmt::format(" ({})", report::shortened(traces.texts[one.line]));
    return {.position = std::max(cell_in(traces.texts[one.mark]), std::size_t{1}),
            .words = fmt::format("{} {}{}", report::pictured(name), where, line)};
  }
  return {};
}

}  // namespace

std::size_t cell_in(std::string_view mark) {
  const auto at = mark.rfind('@');
  return at == mark.npos ? 0 : notebook::parse_integer<std::size_t>(mark.substr(at + 1)).value_or(0);
}

std::string unshown_words(const ComparedTraces& traces) {
  if (!traces.here.finished || !traces.there.finished) return {};
  const Roles roles(traces.texts);
  const Side here(traces.here, roles);
  const Side there(traces.there, roles);
  const auto ours = first_alone(traces, here, there, "here");
  const auto theirs = first_alone(traces, there, here, "there");
  if (ours.position == 0 && theirs.position == 0) return {};
  const bool only_ours = theirs.position == 0 || (ours.position != 0 && ours.position < theirs.position);
  const bool only_theirs = ours.position == 0 || (theirs.position != 0 && theirs.position < ours.position);
  const auto words = only_ours     ? "only " + ours.words
                     : only_theirs ? "only " + theirs.words
                                   : fmt::format("{}, {}", ours.words, theirs.words);
  return fmt::format("from @{} on the operations differ: {}", (only_theirs ? theirs : ours).position, words);
}

}  // namespace torchbook::trace_diff
