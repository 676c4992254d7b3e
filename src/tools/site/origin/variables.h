// Names the values of a trace by the variables of the port that hold them.
#pragma once

#include <tools/part/flow.h>
#include <torchbook/notebook/transcript.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace torchbook::site {

/// Returns the variable of each value that a statement of the port assigns to one. The trace has the line of
/// each operation, and the statement at that line says which operation's result it assigns. An ambiguous
/// statement names nothing, and neither does a trace without lines.
std::map<std::size_t, std::string> variables(const trace_diff::Flow& flow,
                                             const notebook::Transcript& transcript);

/// Returns the operations that take numbers out of tensors in statements of the port that only print:
/// `nb.print(loss.item<double>());`. Nothing else can depend on those numbers.
std::set<std::uint32_t> printing(const trace_diff::Flow& flow, const notebook::Transcript& transcript);

}  // namespace torchbook::site
