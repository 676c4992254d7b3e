// Fuzzes the reader of traces.
#include <fuzz/fuzz.h>
#include <tools/part/trace_file.h>

TORCHBOOK_FUZZ(text) {
  torchbook::trace_diff::Texts texts;
  torchbook::trace_diff::read_trace(text, texts);
}
