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
  // Offsets in the text that with_newlines() returns:
  std::size_t begin = 0;  ///< of its `nb.cell` or `nb.restored`
  std::size_t body = 0;   ///< after the `;` of that statement
  std::size_t end = 0;    ///< of what ends it: the next part or the closing brace
};

/// Reads the cells of the function `void <slug>(torchbook::Notebook& nb) {`, whose closing brace begins a
/// line. A cell reaches from its `nb.cell` to the next `nb.cell`, `nb.note` or `nb.restored`, or to the end
/// of the function. These statements, `nb.axis` and `nb.not_ported` each begin a line at the top level of the
/// function, with nothing else but a comment after them. Throws TextError if one of them is elsewhere, if its
/// argument is no string literal, if there is no such function, and if code is in no cell. What it does not
/// see, such as `nb . cell("4")`, the run notices.
std::vector<PortCell> parse_port(std::string_view text, std::string_view slug);

}  // namespace torchbook::notebook
