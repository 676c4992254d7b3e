// Describes how the elements of recorded tensors lie in memory.
#pragma once

#include <torchbook/notebook/recorded_tensor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace torchbook::golden {

/// A view of a tensor. Another object, such as a RecordedTensor, owns the elements.
struct TensorView {
  std::string_view dtype;
  std::span<const std::int64_t> shape;
  std::string_view bytes;  ///< its elements in row-major order

  TensorView(std::string_view its_dtype, std::span<const std::int64_t> its_shape, std::string_view its_bytes)
      : dtype(its_dtype), shape(its_shape), bytes(its_bytes) {}
  TensorView(const notebook::RecordedTensor& tensor)  // NOLINT(google-explicit-constructor): it is one
      : TensorView(tensor.dtype, tensor.shape, tensor.bytes) {}
};

/// How far numbers may be from those of the golden: by `absolute + relative * |golden|`, or by `ulps` units
/// of eps(dtype) * the largest magnitude in the tensor. Nan and infinity are never near another value.
struct Tolerance {
  double relative = 0;
  double absolute = 0;
  double ulps = 0;
};

/// Returns a shape as Python prints a tuple.
std::string shape_text(std::span<const std::int64_t> shape);

/// An IEEE-like format: one sign bit, then the exponent, then a mantissa of `mantissa` bits.
struct IeeeFormat {
  int bytes = 0;
  int mantissa = 0;
};

enum class ElementKind { floating, complex, integer, natural, boolean, other };

/// The format of a dtype's elements.
struct ElementFormat {
  ElementKind kind = ElementKind::other;
  IeeeFormat part{};  ///< the format of an element, or of one part of a complex element; integers only use
                      ///< its bytes
};

/// Returns the format of a dtype such as `torch.float32`. An unknown dtype has the kind `other`.
ElementFormat element_format(std::string_view dtype);

/// Reads `bytes` bytes of memory, at most 8, as an unsigned integer.
std::uint64_t load_bits(const char* at, int bytes);

/// Reads the bits as a signed integer in two's complement.
std::int64_t signed_value(std::uint64_t bits, int bytes);

/// Returns the value of these bits. A double holds every value of a format of at most 8 bytes.
double float_value(std::uint64_t bits, IeeeFormat format);

/// Returns the shortest text that parses back to the same value, as a float for formats of at most
/// 4 bytes, otherwise as a double: `0.1`, `1.0`, `-0.0`, `1e-45`, `inf`. A nan is shown with its
/// bits: `nan (0x7fc00000)`.
std::string float_text(std::uint64_t bits, IeeeFormat format);

/// Returns how many elements the recorded bytes hold, or 0 if the bytes do not fit the shape.
std::size_t element_count(const TensorView& tensor, const ElementFormat& format);

/// Returns the elements as numbers in row-major order, or nullopt for a dtype that is complex, unknown, or
/// unsigned with more than one byte. An int64 above 2^53 is rounded.
std::optional<std::vector<double>> values_of(const TensorView& tensor);

/// Returns an element of `size` bytes with enough digits to tell it from its neighbours: `0.1`, `1+2j`,
/// `True`. An element of an unknown format is shown as its bytes.
std::string element_text(const char* at, std::size_t size, const ElementFormat& format);

}  // namespace torchbook::golden
