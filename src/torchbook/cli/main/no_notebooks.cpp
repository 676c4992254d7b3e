// For tools without notebooks.
#include <torchbook/notebook/ported_notebook.h>

namespace torchbook::notebook {

std::span<const PortedNotebook> linked_notebooks() { return {}; }

std::string_view program_name() { return "torchbook"; }

std::string_view torchbook_programs() { return {}; }

}  // namespace torchbook::notebook
