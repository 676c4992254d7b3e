// Fuzzes the reader of what a twin recorded.
#include <fuzz/fuzz.h>
#include <torchbook/golden/recording.h>

TORCHBOOK_FUZZ(text) { torchbook::golden::parse_recording(text); }
