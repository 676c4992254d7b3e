// Fuzzes the reader of goldens.
#include <fuzz/fuzz.h>
#include <torchbook/golden/golden.h>

TORCHBOOK_FUZZ(text) { torchbook::golden::parse_golden(text); }
