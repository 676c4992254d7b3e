// The only file that the build passes these folders to.
#include <support/folders.h>

namespace torchbook::test {

std::string source_folder() { return TORCHBOOK_SOURCE; }

std::string bin_folder() { return TORCHBOOK_BIN; }

std::string trace_library() { return bin_folder() + "/libtorchbook_trace.so"; }

std::string documents_folder() { return TORCHBOOK_DOCUMENTS; }

std::string module_classes() { return TORCHBOOK_TESTS "/differential/modules.inc"; }

}  // namespace torchbook::test
