// Fuzzes the reader of files of exceptions.
#include <fuzz/fuzz.h>
#include <torchbook/golden/exceptions.h>

TORCHBOOK_FUZZ(text) { torchbook::golden::parse_exceptions(text, "notebook.exceptions"); }
