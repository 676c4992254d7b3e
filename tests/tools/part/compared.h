// Compares hand-written traces.
#pragma once

#include <tools/part/difference.h>
#include <tools/part/trace_bytes.h>

#include <string>

namespace torchbook::trace_diff::test {

/// Two traces and their comparison.
struct Compared {
  Compared(const TraceBytes& ours, const TraceBytes& theirs, const Above& at_most = {})
      : here_bytes(ours.bytes()), there_bytes(theirs.bytes()), above(at_most) {}

  std::string here_bytes;
  std::string there_bytes;
  Above above;
  Texts texts{};
  ReadTrace here = read_trace(here_bytes, texts);
  ReadTrace there = read_trace(there_bytes, texts);
  TraceComparison comparison = compare(here, there, texts, above);
};

}  // namespace torchbook::trace_diff::test
