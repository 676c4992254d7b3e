// Reads printed notebooks: texts with `In [1]:` above each cell of code.
#pragma once

#include <torchbook/importing/source.h>

#include <string_view>

namespace torchbook::importing {

/// Reads a printed notebook. Its cells begin with a line `In [1]:`, and empty lines join the parts of a cell:
/// its code, what it printed (with its own last newline), what it displayed, and the text after it. No mark
/// tells these apart, so they are told apart by what they hold. Throws ImportError if the text has no cell or
/// is not UTF-8.
SourceNotebook read_printed(std::string_view document);

}  // namespace torchbook::importing
