// Fuzzes the reader of twins.
#include <fuzz/fuzz.h>
#include <torchbook/notebook/cells/twin.h>

TORCHBOOK_FUZZ(text) { torchbook::notebook::parse_twin(text); }
