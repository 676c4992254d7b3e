// Reads files of exceptions: which cells of a notebook are known not to equal their golden, and why.
#pragma once

#include <torchbook/golden/golden.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// What is known of some cells of a notebook.
struct Exceptions {
  std::string slug;
  std::vector<Exception> cells;  ///< in the order of the file
};

/// Reads a file of exceptions:
///
///     exceptions of <slug>
///     @1 differs: prints the release
///     @5 printed: stored by 2.10, last digits
///     @14 picture
///     @32 not ported: needs tiktoken
///
/// A line is the position of a cell, a kind, and the reason, which only `picture` may lack. Empty lines and
/// lines that start with `#` may stand anywhere. `file` is the name of the file, for messages. Throws
/// GoldenError if the text is anything else, and if it names a cell twice.
Exceptions parse_exceptions(std::string_view text, std::string_view file);

/// Throws GoldenError unless the exceptions belong to the notebook `slug` and name only cells of its `cells`
/// cells.
void require_cells(const Exceptions& exceptions, std::string_view slug, std::size_t cells);

/// Returns the exceptions that say something of the port, not of its golden. So they also hold if the port is
/// compared with something else: those of the kinds `picture` and `not ported`.
Exceptions of_the_port(Exceptions exceptions);

/// Adds the exceptions to the cells of a golden that has these cells.
void add_exceptions(Golden& golden, const Exceptions& exceptions);

}  // namespace torchbook::golden
