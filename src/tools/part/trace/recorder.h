// Records the operations that LibTorch runs on a thread, through the callbacks of its profiler.
#pragma once

#include <ATen/core/operator_name.h>
#include <ATen/record_function.h>
#include <tools/part/trace/values.h>
#include <torchbook/trace/trace.h>

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace torchbook::trace {

/// Where in a program an operation runs.
struct Place {
  std::string module{};  ///< path of the module whose forward() runs it, or empty
  std::string line{};    ///< "file.py:12", or empty
  bool skipped = false;  ///< the operation is not recorded, and neither are those that it calls
};

/// Returns the place of an operation that no other operation calls. The function may be empty.
using FindPlace = std::function<Place()>;

/// Records the operations of this thread, from its construction to finish().
class Recorder {
 public:
  /// Begins a trace in `file`. `python` is the version of the Python that runs, `Python 3.11.2`, and empty in
  /// a C++ program. Throws std::runtime_error if the file cannot be written, or if this thread already has a
  /// recorder.
  Recorder(const std::string& file, const Options& options, const std::string& python, FindPlace find_place);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// `role` is a NamedRole.
  void name(std::string_view name, std::uint8_t role, const at::Tensor& tensor);
  void mark(std::string_view text);

  /// Ends the recording. If the program did not come to its end, the trace is not `whole` and counts as cut
  /// off. Throws a std::runtime_error if something could not be written.
  void finish(bool whole);

 private:
  struct Operation {  // an operator, or a node of the backward graph
    std::uint32_t name = 0;
    std::int64_t generator = -1;  // position of the argument that is a generator, or -1
    bool skipped = false;
    bool gives_uninitialised = false;
    bool resizes = false;
    bool is_node = false;
    bool views = false;  // it gives its arguments' memory and does not write it
  };
  struct Open : at::ObserverContext {  // an operation that has begun
    Recorder* recorder = nullptr;
    const Operation* operation = nullptr;
    c10::IValue generator{};
    std::uint32_t module = 0;
    std::uint32_t line = 0;
    std::size_t bytes_before = 0;  // size of the memory of the first input
    Seen seen = Seen::given;
    bool skipped = false;
    Open* caller = nullptr;
  };

  static thread_local Recorder* current;
  static std::unique_ptr<at::ObserverContext> before(const at::RecordFunction& function);
  static void after(const at::RecordFunction& function, at::ObserverContext* context);

  std::unique_ptr<Open> begin(const at::RecordFunction& function);
  void place(Open& open, std::span<const c10::IValue> inputs);
  void end(const Open& open, std::span<const c10::IValue> outputs);
  const Operation* operation_of(const at::RecordFunction& function);
  const Operation* operator_of(const c10::OperatorName& name);
  void stop();

  Writer writer_;
  Values values_{writer_};
  FindPlace find_place_;
  at::CallbackHandle handle_ = 0;
  std::unordered_map<c10::OperatorName, Operation> operators_{};
  std::unordered_map<std::string, Operation> nodes_{};
  Open* innermost_ = nullptr;
  std::uint64_t begun_ = 0;
  std::size_t most_of_a_part_;
  std::size_t of_this_part_ = 0;  // operations since the last mark that no other calls
};

}  // namespace torchbook::trace
