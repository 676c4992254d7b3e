// Records what LibTorch computes, operation by operation, in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

namespace at {
class Tensor;
}

#pragma GCC visibility push(default)
namespace torchbook::trace {

/// What a trace keeps.
struct Options {
  std::size_t largest = 64 << 10;  ///< how many bytes of a tensor are kept; of all bytes there is a hash
  std::size_t most = std::numeric_limits<std::int64_t>::max();  ///< a trace that would have more bytes ends
  std::size_t most_of_a_part = 0;  ///< how many operations are recorded before the first mark and after each,
                                   ///< not counting those that others call; 0 for all
};

/// Records the operations that LibTorch runs on this thread while this object lives, those of the backward
/// pass included.
///
///     torchbook::Trace trace("here.trace", *net);
///     net->forward(x);
///
/// The file has the name and the arguments of each operation, hashes of all tensors, and the source lines of
/// operations if the program has debug information (compile it with -g1 or -g). It is written while the
/// program runs, so it can be read up to the last operations even if the program crashes.
///
/// It changes nothing that the program computes. Memory that the program would read uninitialised is filled,
/// so that two runs have the same traces: numbers with NaN or -1, bools with true.
class Trace {
 public:
  /// Begins a trace. A trace that exists is replaced. Throws a std::runtime_error if the file cannot be
  /// written, if it exists and is no trace, or if this thread already has a trace.
  explicit Trace(const std::string& file, const Options& options = {});

  /// Begins a trace and names the parameters and buffers of a module, such as a torch::nn::Module.
  template <class Module>
  requires requires(const Module& module) {
    module.named_parameters();
    module.named_buffers();
  }
  Trace(const std::string& file, const Module& module, const Options& options = {}) : Trace(file, options) {
    for (const auto& parameter : module.named_parameters()) name(parameter.key(), parameter.value(), 0);
    for (const auto& buffer : module.named_buffers()) name(buffer.key(), buffer.value(), 1);
  }

  /// Ends the trace. If something could not be written, says so on stderr.
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// Gives a tensor a name and records its value.
  void name(std::string_view name, const at::Tensor& tensor) { this->name(name, tensor, 2); }

  /// Says that the program shows a tensor, such as by printing it. Records its value under `name`. Unlike a
  /// tensor that has a name(), it may be the result of what was recorded before.
  void shown(std::string_view name, const at::Tensor& tensor) { this->name(name, tensor, 3); }

  /// Says that the operations from here on belong to `text`, such as a step of a training.
  void mark(std::string_view text);

  /// Ends the trace. Throws a std::runtime_error if something could not be written.
  void finish();

 private:
  class Recording;
  void name(std::string_view name, const at::Tensor& tensor, unsigned char role);
  std::unique_ptr<Recording> recording_;
};

}  // namespace torchbook::trace

namespace torchbook {
using trace::Trace;
}  // namespace torchbook
#pragma GCC visibility pop
