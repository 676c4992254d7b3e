// Builds IValues of what a pickle and the records of a checkpoint have.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>
#include <c10/core/ScalarType.h>
#include <torchbook/training/input_file.h>
#include <torchbook/training/unpickler.h>
#include <torchbook/training/zip_directory.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace torchbook::training {

/// Values may contain others up to this depth, so that code that is recursive, as LibTorch's, does not run
/// out of stack.
inline constexpr int max_height = 200;

/// PyTorch's operations take tensors of as many dimensions.
inline constexpr std::size_t max_dimensions = 64;

/// Returns the dtype that C++ calls `Float`, `ComplexDouble` …, or nullopt if this LibTorch has none of that
/// name.
std::optional<at::ScalarType> dtype_named(std::string_view name);

/// Returns the number of elements of a size without zeros, or nullopt if it needs more than 63 bits.
std::optional<std::int64_t> elements_of(at::IntArrayRef sizes);

/// The fields by which torch.save refers to a storage.
struct StorageReference {
  std::string key;
  at::ScalarType dtype;
  std::int64_t elements;
};
StorageReference storage_reference(const PickleValue& value);

class ValueBuilder {
 public:
  /// `records` have the storages by their names, which begin with `prefix`. File and records must outlive it.
  ValueBuilder(InputFile& file, const Records& records, std::string prefix)
      : file_(file), records_(records), prefix_(std::move(prefix)), unread_(file.size()) {}

  /// Throws std::runtime_error for objects that an IValue cannot hold, and for tensors that exceed their
  /// storage.
  c10::IValue build(const PickleValue& value) { return build(value, 0); }

 private:
  c10::IValue build(const PickleValue& value, int depth);
  c10::IValue build_object(Node& node, int depth);
  c10::IValue build_items(Node& node, int depth);
  c10::IValue build_dict(Node& node, int depth);
  c10::IValue build_call(const Node& node, int depth);
  at::Tensor build_tensor(const std::vector<PickleValue>& arguments, std::optional<at::ScalarType> dtype);
  at::Tensor build_parameter(const std::vector<PickleValue>& arguments, int depth);
  const at::Storage& storage(const StorageReference& reference);

  InputFile& file_;
  const Records& records_;
  std::string prefix_;
  std::uint64_t unread_;  // all storages together are not longer than the file
  std::map<std::string, at::Storage> storages_;
};

}  // namespace torchbook::training
