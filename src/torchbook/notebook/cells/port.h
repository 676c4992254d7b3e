// Reads a port's cells from the text of its `<slug>.cpp`.
#pragma once

#include <torchbook/notebook/cells/axis.h>
#include <torchbook/notebook/cells/text_error.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::notebook {

/// A cell of a port, or a restored state of it.
struct PortCell {
  bool restored = false;
  std::string label;            ///< what `nb.cell` names; empty for a restored state
  std::string source;           ///< its C++ text, without the common indent and without empty lines around it
  std::size_t line = 0;         ///< the line of its `nb.cell` or `nb.restored`, from 1
  std::size_t source_line = 0;  ///< the line on which `source` begins
  std::vector<NamedAxis> axes{};  ///< what its `nb.axis` name, in order
  // Offsets in the text as with_newlines() gives it:
  std::size_t begin = 0;  ///< of its `nb.cell` or `nb.restored`
  std::size_t body = 0;   ///< after the `;` of that statement
  std::size_t end = 0;    ///< of what ends it: the next part or the closing brace
};

/// Reads the cells of the function `void <slug>(torchbook::Notebook& nb)`. A cell reaches from its `nb.cell`
/// to the next `nb.cell`, `nb.note` or `nb.restored`, or to the end of the function. These calls, `nb.axis`
/// and `nb.not_ported` stand alone on a line, at the top level of the function. Throws TextError if one of
/// them stands elsewhere, if there is no such function, and if something does not fit: two displays in a
/// cell, code that is in no cell, an `nb.axis` without literals and without the name of a list of literals.
std::vector<PortCell> parse_port(std::string_view text, std::string_view slug);

}  // namespace torchbook::notebook
