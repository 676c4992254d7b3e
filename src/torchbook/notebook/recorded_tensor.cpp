// Reads the elements of a recorded tensor.
#include <torchbook/notebook/recorded_tensor.h>

#include <bit>
#include <cmath>
#include <cstring>

namespace torchbook::notebook {
namespace {

/// A float16. C++ has no such type, and that of LibTorch would need its headers.
struct Half {
  std::uint16_t bits;

  explicit operator double() const {
    const int exponent = bits >> 10 & 0x1F;
    const int fraction = bits & 0x3FF;
    double magnitude =
        exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 0x400, exponent - 25);
    if (exponent == 0x1F) magnitude = fraction == 0 ? INFINITY : NAN;
    return bits >> 15 == 0 ? magnitude : -magnitude;
  }
};

/// A bfloat16: the upper half of a float.
struct BFloat16 {
  std::uint16_t bits;

  explicit operator double() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
};

template <class T>
std::vector<double> elements(const std::string& bytes) {
  std::vector<double> values;
  values.reserve(bytes.size() / sizeof(T));
  for (std::size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T)) {
    T value;
    std::memcpy(static_cast<void*>(&value), bytes.data() + i, sizeof(T));
    values.push_back(static_cast<double>(value));
  }
  return values;
}

}  // namespace

std::optional<std::vector<double>> elements_of(const RecordedTensor& tensor) {
  const auto is = [&](const char* dtype) { return tensor.dtype == dtype; };
  if (is("torch.float32")) return elements<float>(tensor.bytes);
  if (is("torch.float64")) return elements<double>(tensor.bytes);
  if (is("torch.float16")) return elements<Half>(tensor.bytes);
  if (is("torch.bfloat16")) return elements<BFloat16>(tensor.bytes);
  if (is("torch.int64")) return elements<std::int64_t>(tensor.bytes);
  if (is("torch.int32")) return elements<std::int32_t>(tensor.bytes);
  if (is("torch.int16")) return elements<std::int16_t>(tensor.bytes);
  if (is("torch.int8")) return elements<std::int8_t>(tensor.bytes);
  if (is("torch.uint8") || is("torch.bool")) return elements<std::uint8_t>(tensor.bytes);
  return std::nullopt;
}

}  // namespace torchbook::notebook
