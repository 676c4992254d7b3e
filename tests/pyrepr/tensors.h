// Short names for the tensors of the tests.
#pragma once

#include <ATen/ATen.h>

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace torchbook::test {

inline constexpr float kInf = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// `torch.tensor([...])` of Python floats.
inline at::Tensor f32(std::initializer_list<float> values) { return at::tensor(values); }

/// The same with dtype=torch.float64.
inline at::Tensor f64(std::initializer_list<double> values) { return at::tensor(values); }

/// `torch.tensor([...])` of Python ints.
inline at::Tensor i64(std::initializer_list<std::int64_t> values) { return at::tensor(values); }

/// `torch.tensor([...])` of Python bools; at::tensor knows none.
inline at::Tensor bools(std::initializer_list<std::int64_t> values) { return i64(values).to(at::kBool); }

/// `torch.tensor([...])` of Python complex numbers.
inline at::Tensor c64(std::initializer_list<c10::complex<float>> values) { return at::tensor(values); }

/// The same with dtype=torch.complex128.
inline at::Tensor c128(std::initializer_list<c10::complex<double>> values) { return at::tensor(values); }

/// `torch.tensor(value)`, which has no dimension; at::tensor(value) has one.
template <class T>
at::Tensor scalar(T value, at::ScalarType dtype = c10::CppTypeToScalarType<T>::value) {
  return at::scalar_tensor(value, dtype);
}

}  // namespace torchbook::test
