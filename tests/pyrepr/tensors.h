// Short constructors for the tensors of the tests.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace torchbook::test {

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Returns Python's `torch.tensor([...])` of floats.
inline at::Tensor f32(std::initializer_list<float> values) { return at::tensor(values); }

/// Returns Python's `torch.tensor([...], dtype=torch.float64)`.
inline at::Tensor f64(std::initializer_list<double> values) { return at::tensor(values); }

/// Returns Python's `torch.tensor([...])` of ints.
inline at::Tensor i64(std::initializer_list<std::int64_t> values) { return at::tensor(values); }

/// Returns Python's `torch.tensor([...])` of bools, which at::tensor cannot make.
inline at::Tensor bools(std::initializer_list<std::int64_t> values) { return i64(values).to(at::kBool); }

/// Returns Python's `torch.tensor([...])` of complex numbers.
inline at::Tensor c64(std::initializer_list<c10::complex<float>> values) { return at::tensor(values); }

/// Returns Python's `torch.tensor(value)`, which has no dimension; at::tensor(value) has one.
template <class T>
at::Tensor scalar(T value, at::ScalarType dtype = c10::CppTypeToScalarType<T>::value) {
  return at::scalar_tensor(value, dtype);
}

}  // namespace torchbook::test
