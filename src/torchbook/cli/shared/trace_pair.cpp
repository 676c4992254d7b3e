// Makes files for traces, and compares them.
#include <fcntl.h>
#include <fmt/format.h>
#include <torchbook/cli/shared/trace_pair.h>
#include <torchbook/cli/system/child.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/report/compared_traces.h>
#include <unistd.h>

namespace torchbook::cli {
namespace {

/// Returns a file that never becomes shorter, so that it can be read while a process that outlived a twin
/// still has it.
Descriptor growing_file() {
  Descriptor file = memory_file();
  ::fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK);
  return file;
}

part::ReadTrace read(const MappedFile& file, const std::string& what, part::Texts& texts) {
  if (file.bytes().size() > TracePair::most_bytes) {
    throw UsageError(fmt::format("{} is larger than {} MiB", what, TracePair::most_bytes >> 20));
  }
  try {
    return part::read_trace(file.bytes(), texts);
  } catch (const part::TraceError& error) {
    throw UsageError(fmt::format("{} cannot be read: {}", what, error.what()));
  }
}

}  // namespace

TracePair::TracePair() : here_(growing_file()), there_(growing_file()) {}

std::string TracePair::name_of(const Descriptor& file) {
  return fmt::format("/proc/{}/fd/{}", ::getpid(), file.get());
}

void TracePair::tell(golden::JudgedTranscript& judged) const {
  const MappedFile here_file(here());
  const MappedFile there_file(there());
  part::Texts texts;
  const auto here = read(here_file, fmt::format("the trace of {}", judged.transcript.slug), texts);
  const auto there = read(there_file, fmt::format("the trace of {}'s twin", judged.transcript.slug), texts);
  report::add_partings(judged, here, there, texts);
}

}  // namespace torchbook::cli
