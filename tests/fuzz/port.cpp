// Fuzzes the reader of ports.
#include <fuzz/fuzz.h>
#include <torchbook/notebook/cells/port.h>

TORCHBOOK_FUZZ(text) { torchbook::notebook::parse_port(text, "notebook"); }
