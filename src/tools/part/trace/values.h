// Writes the inputs and outputs of operations into records.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <tools/part/trace/elements.h>
#include <tools/part/trace/writer.h>

#include <span>
#include <unordered_map>

namespace torchbook::trace {

/// The origin of a value's memory.
enum class Seen {
  given,    ///< the program gave it
  inside,   ///< the code of an operator gave it; if it is new, it may be uninitialised
  written,  ///< an operation has written it
};

/// Adds values to the payloads of records. First writes the records to which they refer.
class Values {
 public:
  explicit Values(Writer& writer) : writer_(writer), elements_(writer) {}

  /// Adds the number of values, then the values.
  void add_all(Payload& payload, std::span<const c10::IValue> values, Seen seen);
  /// Adds a tensor without a tag. Its hash is 0 if it may be uninitialised.
  void add_tensor(Payload& payload, const at::Tensor& tensor, Seen seen);

  /// Assigns operations that read the memory of `tensor` to a module, unless the memory already has
  /// one. `module` is the number of the module's path.
  void belongs_to(const at::Tensor& tensor, std::uint32_t module);
  /// Returns the module of the first value whose memory belongs to one, or 0.
  std::uint32_t module_of(std::span<const c10::IValue> values) const;

 private:
  struct Memory {
    c10::weak_intrusive_ptr<c10::StorageImpl> storage;  // while it is held, no other storage has its address
    std::uint32_t number = 0;
    std::uint32_t module = 0;
    std::size_t bytes = 0;  // its size when it was last seen; memory that an operator enlarges is new
    bool initialised = false;
  };

  void add(Payload& payload, const c10::IValue& value, Seen seen, std::size_t depth);
  void add_list(Payload& payload, const c10::IValue& list, Seen seen, std::size_t depth);
  void add_text(Payload& payload, Tag tag, std::string_view text);
  Memory& memory_of(const at::Tensor& tensor, Seen seen);

  Writer& writer_;
  Elements elements_;
  std::unordered_map<const c10::StorageImpl*, Memory> memories_;
  std::size_t most_memories_ = 1024;  // limit at which expired memories are removed
  std::uint32_t numbered_ = 0;
};

}  // namespace torchbook::trace
