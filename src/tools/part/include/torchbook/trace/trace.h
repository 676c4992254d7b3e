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

/// Records the operations that LibTorch runs on this thread during the object's lifetime, including
/// those of the backward pass.
///
///     torchbook::Trace trace("here.trace", *net);
///     net->forward(x);
///
/// The file contains the name and the arguments of each operation and hashes of all tensors. It
/// also contains the source lines of operations if the program has debug information (compile it
/// with -g1 or -g). It is written while the program runs. If the program crashes, it is readable up
/// to the last operations.
///
/// A trace does not change the program's results. Uninitialised memory is filled, numbers with NaN
/// or -1 and bools with true, so that two runs have equal traces.
class Trace {
 public:
  /// Begins a trace. Replaces an existing trace. Throws std::runtime_error if the file cannot be
  /// written, if it exists and is not a trace, or if this thread already has a trace.
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

  /// Ends the trace. If an exception ends it, it counts as cut off. Reports on stderr if something could not
  /// be written.
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  /// Gives a tensor a name and records its value.
  void name(std::string_view name, const at::Tensor& tensor) { this->name(name, tensor, 2); }

  /// Records that the program shows a tensor, for example prints it, with its value under `name`.
  /// Unlike a tensor with a name(), it may be the result of earlier recorded operations.
  void shown(std::string_view name, const at::Tensor& tensor) { this->name(name, tensor, 3); }

  /// Marks the following operations as belonging to `text`, such as a training step.
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
