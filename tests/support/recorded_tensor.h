// Makes tensors as a run records them, for tests.
#pragma once

#include <torchbook/notebook/recorded_tensor.h>

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace torchbook::test {

/// Returns a float32 tensor.
inline notebook::RecordedTensor tensor(std::vector<std::int64_t> shape, const std::vector<float>& values) {
  notebook::RecordedTensor tensor{.dtype = "torch.float32", .shape = std::move(shape), .bytes = {}};
  tensor.bytes.resize(values.size() * sizeof(float));
  if (!values.empty()) std::memcpy(tensor.bytes.data(), values.data(), tensor.bytes.size());
  return tensor;
}

}  // namespace torchbook::test
