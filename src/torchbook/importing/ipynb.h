// Reads Jupyter notebooks.
#pragma once

#include <torchbook/importing/source.h>

#include <string_view>

namespace torchbook::importing {

/// Reads a notebook of nbformat 3 to 4.5, as Jupyter, Colab, VS Code and nbconvert write them. Takes its
/// stored outputs as Jupyter shows them. Throws TextError if the text is no such notebook, or too large.
SourceNotebook read_ipynb(std::string_view text);

}  // namespace torchbook::importing
