// Makes tensors as a run records them, for tests.
#pragma once

#include <torchbook/notebook/recorded_tensor.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace torchbook::test {

/// Returns a tensor whose elements have the memory layout of `T`.
template <class T>
notebook::RecordedTensor tensor(std::string dtype, std::vector<std::int64_t> shape,
                                const std::vector<T>& values) {
  notebook::RecordedTensor tensor{.dtype = std::move(dtype), .shape = std::move(shape), .bytes = {}};
  tensor.bytes.resize(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

/// Returns a float32 tensor.
inline notebook::RecordedTensor tensor(std::vector<std::int64_t> shape, const std::vector<float>& values) {
  return tensor<float>("torch.float32", std::move(shape), values);
}

/// Returns a float32 tensor of one dimension.
inline notebook::RecordedTensor floats(const std::vector<float>& values) {
  return tensor({static_cast<std::int64_t>(values.size())}, values);
}

}  // namespace torchbook::test
