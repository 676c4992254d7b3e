// Records what LibTorch computes, operation by operation, in a file.
#include <tools/part/trace/recorder.h>
#include <tools/part/trace/source_lines.h>
#include <torchbook/trace/trace.h>

#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>

namespace torchbook::trace {

class Trace::Recording : public Recorder {
 public:
  using Recorder::Recorder;
  /// Whether an exception ends the block that the trace began in.
  bool is_thrown_out() const { return std::uncaught_exceptions() > exceptions_; }

 private:
  int exceptions_ = std::uncaught_exceptions();
};

Trace::Trace(const std::string& file, const Options& options)
    : recording_(new Recording(file, options, /*python=*/"", place_in_cpp())) {}

Trace::~Trace() {
  if (!recording_) return;
  try {
    recording_->finish(/*whole=*/!recording_->is_thrown_out());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "torchbook: %s\n", error.what());
  }
}

void Trace::finish() {
  const auto recording = std::move(recording_);
  if (recording) recording->finish(/*whole=*/true);
}

void Trace::mark(std::string_view text) {
  if (recording_) recording_->mark(text);
}

void Trace::name(std::string_view name, const at::Tensor& tensor, unsigned char role) {
  if (recording_) recording_->name(name, role, tensor);
}

}  // namespace torchbook::trace
