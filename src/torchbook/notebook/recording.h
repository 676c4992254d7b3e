// Keeps the tensors that a cell prints or displays.
#pragma once

#include <torchbook/notebook/recorded_tensor.h>
#include <torchbook/pyrepr/tensor.h>

#include <optional>
#include <tuple>
#include <vector>

namespace torchbook::notebook {

/// Appends a copy of the tensor as it is now. One that has no plain bits (sparse, nested, quantized, meta) is
/// left out.
void record(std::vector<RecordedTensor>& tensors, const at::Tensor& tensor);

/// Any other value holds no tensor, unless it is one of the containers below.
template <class T>
void record(std::vector<RecordedTensor>&, const T&) {}

inline void record(std::vector<RecordedTensor>& tensors, const pyrepr::Parameter& parameter) {
  record(tensors, parameter.tensor);
}

template <class T>
void record(std::vector<RecordedTensor>& tensors, const std::optional<T>& value);
template <class... T>
void record(std::vector<RecordedTensor>& tensors, const std::tuple<T...>& values);

template <class T>
void record(std::vector<RecordedTensor>& tensors, const std::vector<T>& values) {
  for (const auto& value : values) record(tensors, static_cast<const T&>(value));
}

template <class T>
void record(std::vector<RecordedTensor>& tensors, const std::optional<T>& value) {
  if (value) record(tensors, *value);
}

template <class... T>
void record(std::vector<RecordedTensor>& tensors, const std::tuple<T...>& values) {
  std::apply([&](const auto&... value) { (record(tensors, value), ...); }, values);
}

}  // namespace torchbook::notebook
