// Writes values as pickles that torch.load takes with weights_only=True.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace torchbook::training {

/// Returns a tensor if its elements are in memory, or throws std::runtime_error otherwise. Those of a lazy
/// conjugate are computed, because PyTorch 1.13 would load others.
at::Tensor saved_tensor(const at::Tensor& tensor);

/// Writes one pickle of the protocol 2. An object that is referred to twice is written once, as in Python.
class Pickler {
 public:
  /// Throws std::runtime_error for values that torch.load would not take.
  explicit Pickler(const c10::IValue& value);

  const std::string& pickle() const { return pickle_; }

  /// The storages of the tensors; the key of each is its index.
  const std::vector<at::Storage>& storages() const { return storages_; }

 private:
  void write(const c10::IValue& value, int depth);
  void write_object(const c10::IValue& value, int depth);
  void write_tensor(const at::Tensor& value);
  void write_storage(const at::Tensor& tensor);
  void write_complex(c10::complex<double> value);
  void write_int(std::int64_t value);
  void write_float(double value);
  void write_text(std::string_view text);
  void write_ints(at::IntArrayRef ints);
  void write_little_endian(std::uint64_t bits, std::size_t bytes);

  std::string pickle_;
  std::unordered_map<const void*, std::uint32_t> memo_;
  std::vector<at::Storage> storages_;
  std::vector<at::ScalarType> dtypes_;
  std::unordered_map<const void*, std::size_t> storage_keys_;
  std::vector<at::Tensor> computed_;  // keeps the addresses in memo_ from other use
};

}  // namespace torchbook::training
