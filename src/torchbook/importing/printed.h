// Reads printed notebooks: texts with `In [1]:` above each cell of code.
#pragma once

#include <torchbook/importing/source.h>

#include <string_view>

namespace torchbook::importing {

/// Reads a printed notebook. A cell begins with a line `In [1]:`. Its parts are separated by empty
/// lines: its code, what it printed (with its own last newline), what it displayed, and the text
/// after it. No mark distinguishes the parts, so their contents decide. Throws ImportError if the
/// text has no cell or is not UTF-8.
SourceNotebook read_printed(std::string_view document);

}  // namespace torchbook::importing
