// Records the operations of a run, with the library of the tool `part`.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace at {
class Tensor;
}

namespace torchbook::notebook {

/// Records what LibTorch computes on this thread, from the construction of this object to finish(),
/// in a file that `torchbook part` reads (docs/regression.md). The library libtorchbook_trace.so
/// records; it is loaded when the first run is recorded, so that programs need it for nothing else.
class RunTrace {
 public:
  /// How much is recorded.
  struct Limits {
    std::int64_t largest = 64 << 10;  ///< how many bytes of a tensor are kept; of all bytes there is a hash
    std::int64_t most = std::numeric_limits<std::int64_t>::max();  ///< the bytes of the file
    std::int64_t most_of_a_part = 0;  ///< the operations recorded after each mark; 0 for all
  };

  /// Begins a trace in `file`. Throws std::runtime_error if the library cannot be loaded, the file
  /// cannot be written, or this thread already has a trace.
  RunTrace(const std::string& library, const std::string& file, const Limits& limits);
  /// Ends the trace as cut off, unless it has been finished.
  ~RunTrace();
  RunTrace(const RunTrace&) = delete;
  RunTrace& operator=(const RunTrace&) = delete;

  /// Marks the following operations as belonging to `text`, such as a cell.
  void mark(std::string_view text);

  /// Records that the program shows a tensor, with its value under `name`.
  void shown(std::string_view name, const at::Tensor& tensor);

  /// Ends the trace. Throws std::runtime_error if something could not be written.
  void finish();

 private:
  void end(bool whole);

  bool running_ = true;
};

/// Computes the operations of a trace again with the kernels of this process (tools/part/rounding.h). `trace`
/// has its bytes. Returns a line for each operation that was off by more than rounding. Throws
/// std::runtime_error if the library cannot be loaded, or if the trace was cut off.
std::vector<std::string> beyond_rounding(const std::string& library, const std::string& trace);

}  // namespace torchbook::notebook
