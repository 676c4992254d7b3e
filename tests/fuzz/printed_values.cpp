// Fuzzes the reader of printed values, and their comparison.
#include <fuzz/fuzz.h>
#include <torchbook/golden/printed.h>

/// Compares the two halves of the text, and one half with itself.
TORCHBOOK_FUZZ(text) {
  const auto half = text.size() / 2;
  torchbook::golden::compare_printed(text.substr(0, half), text.substr(half));
  if (!torchbook::golden::compare_printed(text, text).agree) std::abort();
}
