// Reads a trace: the operations that ran, with their inputs and outputs.
#pragma once

#include <tools/part/texts.h>
#include <tools/part/trace/format.h>
#include <torchbook/notebook/cells/text_error.h>
#include <torchbook/notebook/fingerprint.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace torchbook::trace_diff {

/// A file that is not a trace. The message does not name the file.
struct TraceError : notebook::TextError {
  explicit TraceError(const std::string& what) : TextError(0, what) {}
};

/// Consecutive elements of one of the trace's lists.
struct Range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

/// A tensor at one moment. `dtype` and `device` are numbers of texts.
struct SeenTensor {
  std::uint64_t hash = 0;   ///< of its elements in row-major order; 0 if it has no memory of its own
  std::int64_t offset = 0;  ///< of its first element in its memory; 0 if the trace does not have it
  std::uint32_t dtype = 0;
  std::uint32_t device = 0;
  std::uint32_t storage = 0;  ///< the serial number of its memory, or 0
  std::uint32_t sizes = 0;    ///< index of the first size in Trace::sizes; the strides follow the sizes
  std::uint8_t dim = 0;
  bool strided = true;
};

using trace::Tag;

/// An argument or a result of an operation.
struct Value {
  Tag tag = Tag::none;
  std::uint32_t index = 0;  ///< of a tensor in ReadTrace::tensors, of a text, or of a list's first value
  std::uint32_t count = 0;  ///< of a list's values
  std::uint64_t bits = 0;   ///< of a whole or real number; of a boolean
  std::uint64_t imaginary = 0;
};

/// The state of a random number generator.
struct GeneratorState {
  std::uint64_t seed = 0;
  std::uint64_t hash = 0;
  bool is_fresh = false;  ///< whether nothing was drawn since it was seeded

  bool operator==(const GeneratorState& other) const { return seed == other.seed && hash == other.hash; }
};

inline constexpr std::uint32_t no_operation = 0xffffffff;

/// Returns whether autograd adds gradients by this operation: newer releases add in place.
constexpr bool adds_gradients(std::string_view operation) {
  return operation == "aten::add.Tensor" || operation == "aten::add_.Tensor";
}

/// An operation. Texts are numbers. All operations that it called follow it immediately, up to
/// `next`.
struct Operation {
  std::uint32_t name = 0;               ///< with its overload: `aten::add.Tensor`
  std::uint32_t module = 0;             ///< the path of the module that ran it, or 0
  std::uint32_t line = 0;               ///< `net.py:12`, or 0
  std::uint32_t mark = 0;               ///< the last mark before it, or 0
  std::uint32_t parent = no_operation;  ///< the operation that called it
  std::uint32_t next = 0;               ///< the first operation that it did not call
  Range inputs{};                       ///< in ReadTrace::values
  Range outputs{};
  std::uint32_t before = no_operation;  ///< its generator in Trace::generators, or no_operation
  std::uint32_t after = no_operation;
  bool backward = false;  ///< it is a node of the backward graph, was called by one, or adds gradients
};

/// A parameter or buffer, as it was when the trace began.
struct Named {
  std::uint32_t name = 0;
  std::uint32_t tensor = 0;
  bool is_parameter = false;
};

/// A tensor that the program showed, after the operations before `operation`.
struct Shown {
  std::uint32_t name = 0;
  std::uint32_t tensor = 0;
  std::uint32_t operation = 0;
  std::uint32_t mark = 0;  ///< the last mark before it, or 0
};

/// The first bytes of a tensor's elements, or all of them.
struct Bytes {
  std::string_view bytes;
  std::uint64_t total = 0;
};

/// What one program recorded. It refers to the bytes that it was read from.
struct ReadTrace {
  std::string language;  ///< `C++` or `Python`
  std::string recorder;  ///< `callbacks`
  notebook::Fingerprint fingerprint;
  std::vector<Operation> operations;
  std::vector<Value> values;
  std::vector<SeenTensor> tensors;
  std::vector<std::int64_t> sizes;
  std::vector<GeneratorState> generators;
  std::vector<Named> named;
  std::unordered_map<std::uint32_t, std::uint32_t>
      arguments;                                   ///< the names of arguments, by that of the operation
  std::vector<Shown> shown;                        ///< in order
  std::unordered_map<std::uint64_t, Bytes> bytes;  ///< by hash
  bool finished = false;                           ///< whether the recording ended by itself

  std::span<const Value> inputs(std::uint32_t operation) const { return part(operations[operation].inputs); }
  std::span<const Value> outputs(std::uint32_t operation) const {
    return part(operations[operation].outputs);
  }
  std::span<const Value> part(Range range) const {
    return std::span<const Value>(values).subspan(range.first, range.count);
  }
  std::span<const std::int64_t> shape(const SeenTensor& tensor) const {
    return std::span<const std::int64_t>(sizes).subspan(tensor.sizes, tensor.dim);
  }
  std::span<const std::int64_t> strides(const SeenTensor& tensor) const {
    return std::span<const std::int64_t>(sizes).subspan(tensor.sizes + tensor.dim,
                                                        tensor.strided ? tensor.dim : 0);
  }
};

/// Reads a trace. `bytes` must outlive it. Adds its names to `texts`. A trace that was cut off is
/// read as far as it goes. Throws TraceError if the bytes are not a trace, or contradict
/// themselves.
ReadTrace read_trace(std::string_view bytes, Texts& texts);

}  // namespace torchbook::trace_diff
