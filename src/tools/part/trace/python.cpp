// Defines the operators with which torchbook.py and torchbook's own programs control a trace. They
// are not recorded.
#include <tools/part/trace/recorder.h>
#include <tools/part/trace/source_lines.h>
#include <torch/library.h>
#include <torch/version.h>

#include <array>
#include <stdexcept>

// torchbook.py searches the library file for this text before loading it, because a library that
// was built for another LibTorch cannot be loaded.
#define TORCHBOOK_TEXT(x) #x
#define TORCHBOOK_EXPANDED(x) TORCHBOOK_TEXT(x)
extern "C" __attribute__((visibility("default"), used)) const char torchbook_trace_built_for[] =
    "torchbook trace for LibTorch " TORCH_VERSION ", C++11 ABI " TORCHBOOK_EXPANDED(_GLIBCXX_USE_CXX11_ABI);

namespace torchbook::trace {
namespace {

/// Writes the module and the line of the running Python code as null-terminated strings that fit
/// their buffers. Returns whether to record the operation.
using Ask = int (*)(char* module, char* line, std::size_t size);

thread_local std::unique_ptr<Recorder> recorder;
Ask ask = nullptr;

Place place() {
  std::array<char, 1024> module{};
  std::array<char, 1024> line{};
  const bool recorded = ask == nullptr || ask(module.data(), line.data(), module.size() - 1) != 0;
  return {.module = module.data(), .line = line.data(), .skipped = !recorded};
}

Recorder& running() {
  if (!recorder) throw std::runtime_error("this thread has no trace");
  return *recorder;
}

/// Begins a trace. `python` is the version of the Python that runs, and empty in a program in C++.
void start(const std::string& file, std::int64_t largest, std::int64_t most, std::int64_t most_of_a_part,
           const std::string& python) {
  Options options;
  options.largest = static_cast<std::size_t>(largest);
  options.most = static_cast<std::size_t>(most);
  options.most_of_a_part = static_cast<std::size_t>(most_of_a_part);
  recorder = std::make_unique<Recorder>(file, options, python, python.empty() ? place_in_cpp() : place);
}

void finish(bool whole) {
  running();
  const auto ended = std::move(recorder);
  ended->finish(whole);
}

void name(const std::string& name, std::int64_t role, const at::Tensor& tensor) {
  running().name(name, static_cast<std::uint8_t>(role), tensor);
}

void mark(const std::string& text) { running().mark(text); }

TORCH_LIBRARY(torchbook_trace, library) {
  library.def("start(str file, int largest, int most, int most_of_a_part, str python) -> ()", start);
  library.def("name_tensor(str name, int role, Tensor tensor) -> ()", name);
  library.def("mark(str text) -> ()", mark);
  library.def("finish(bool whole) -> ()", finish);
}

}  // namespace
}  // namespace torchbook::trace

/// Sets the function that returns the place of the running Python code. torchbook.py calls this
/// with ctypes.
extern "C" __attribute__((visibility("default"))) void torchbook_trace_set_ask(torchbook::trace::Ask ask) {
  torchbook::trace::ask = ask;
}
