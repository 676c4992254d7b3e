// Makes the tensors whose C++ code cpp_texts.cpp writes and cpp_test.cpp compiles.
#pragma once

#include <ATen/ATen.h>
#include <torchbook/pyrepr/release.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <random>
#include <vector>

namespace torchbook::test {

/// Returns the dtypes that cpp() writes.
inline std::vector<at::ScalarType> dtypes_of_cpp() {
  return {
    at::kBool, at::kByte, at::kChar, at::kShort, at::kInt, at::kLong, at::kHalf, at::kBFloat16, at::kFloat,
        at::kDouble, at::kComplexHalf, at::kComplexFloat, at::kComplexDouble,
#if __has_include(<c10/util/Float8_e5m2.h>)
        at::kFloat8_e5m2, at::kFloat8_e4m3fn,
#endif
#if TORCHBOOK_LIBTORCH_AT_LEAST(2, 3)
        at::kUInt16, at::kUInt32, at::kUInt64,
#endif
  };
}

/// Returns a tensor of random bits. Every nan among them is the default one, because cpp() writes that.
inline at::Tensor random_bits(at::IntArrayRef sizes, at::ScalarType dtype, std::mt19937& generator) {
  const at::Tensor t = at::empty(sizes, dtype);
  auto* bytes = static_cast<std::uint8_t*>(t.data_ptr());
  for (std::size_t i = 0; i < t.nbytes(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(generator() & (dtype == at::kBool ? 1 : 255));
  }
  if (t.is_complex()) {
    const at::Tensor parts = at::view_as_real(t);
    parts.copy_(at::where(parts.isnan(), at::full_like(parts, NAN), parts));
    return t;
  }
  if (!t.is_floating_point()) return t;
  return t.element_size() == 1 ? t.to(at::kFloat).nan_to_num_(NAN).to(dtype)
                               : at::where(t.isnan(), at::full_like(t, NAN), t);
}

/// Returns tensors of all dtypes and of shapes with 0 to 4 dimensions, and values at the ends of ranges.
inline std::vector<at::Tensor> tensors_of_cpp() {
  std::vector<at::Tensor> tensors;
  std::mt19937 generator(1);
  const std::vector<std::vector<std::int64_t>> shapes = {{},     {0},    {1},       {21},        {0, 3},
                                                         {1, 1}, {2, 3}, {2, 1, 3}, {1, 2, 2, 1}};
  for (const auto dtype : dtypes_of_cpp()) {
    for (const auto& shape : shapes) tensors.push_back(random_bits(shape, dtype, generator));
    tensors.push_back(random_bits({3, 4}, dtype, generator).t());
  }
  using Double = std::numeric_limits<double>;
  const std::initializer_list<double> ends = {0.0,
                                              -0.0,
                                              Double::infinity(),
                                              -Double::infinity(),
                                              NAN,
                                              Double::denorm_min(),
                                              -Double::min(),
                                              Double::max(),
                                              0.1,
                                              1e22};
  for (const auto dtype : {at::kHalf, at::kBFloat16, at::kFloat, at::kDouble}) {
    tensors.push_back(at::tensor(ends).to(dtype));
  }
  tensors.push_back(at::full({1}, std::numeric_limits<float>::denorm_min()));
  tensors.push_back(
      at::tensor({std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}));
  return tensors;
}

}  // namespace torchbook::test
