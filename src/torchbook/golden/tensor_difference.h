// Finds how two tensors differ, from their bits.
#pragma once

#include <torchbook/golden/element.h>
#include <torchbook/notebook/recorded_tensor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::golden {

/// Why two values cannot be compared number by number: what each side has, as the two halves of a sentence,
/// such as `shape (2, 3)` here, `(3, 3)` in the golden.
struct Mismatch {
  std::string actual;
  std::string golden;

  bool operator==(const Mismatch&) const = default;
};

/// Where two tensors differ, and by how much.
struct TensorDifference {
  /// Why elements cannot be compared, such as a different shape or dtype; nullopt if they can be compared. If
  /// it has a value, all members below are empty.
  std::optional<Mismatch> mismatch{};

  // The first element that differs, in row-major order.
  std::vector<std::int64_t> index{};  ///< empty for a 0-d tensor
  std::string golden{};               ///< its value in the golden, with enough digits to tell both apart
  std::string actual{};
  std::optional<double> absolute{};     ///< |actual - golden|, of numbers
  std::optional<double> relative{};     ///< `absolute` divided by |golden|
  std::optional<std::uint64_t> ulps{};  ///< in units of `largest_ulps`

  // The whole tensor.
  std::size_t elements = 0;      ///< how many elements it has; 0 if only its text is known
  std::size_t differing = 0;     ///< how many of them differ
  std::size_t without_ulps = 0;  ///< how many of these have no distance in ulps: a nan, or no floating dtype
  /// The largest distance of two elements that differ, in representable values of a floating dtype: 1 for
  /// neighbours, 0 for zeros of either sign. nullopt for other dtypes, and if every pair that differs has a
  /// nan.
  std::optional<std::uint64_t> largest_ulps{};
  std::vector<std::int64_t> largest_at{};  ///< the index of the first element with that distance
};

/// Compares bit for bit. Returns nullopt if dtype, shape and every bit are equal. The ulps of a complex
/// element are those of the part that is further off.
std::optional<TensorDifference> tensor_difference(const TensorView& expected, const TensorView& actual);

/// Returns whether two numbers are equal, both nan, or finite and at most `most` apart.
bool is_near(double expected, double actual, double most);

/// Returns whether two tensors have the same dtype and shape, and elements that are near. Elements of dtypes
/// that are neither floating nor complex must be equal.
bool are_near(const TensorView& expected, const TensorView& actual, const Tolerance& tolerance);

/// The largest error of rounding, in units of eps(dtype) * the largest finite magnitude in the expected
/// tensor. Kernels of other processors add in another order, which moved elements of the five notebooks by up
/// to 2.4 such units; 0.430001 in place of 0.43 moves one by 9.3 (docs/running.md).
inline constexpr double most_rounding = 4;

/// Returns whether two tensors differ at most as the same operations do under other kernels: floating and
/// complex elements by most_rounding, nan and infinity not at all, and elements of other dtypes not at all.
bool is_rounding(const TensorView& expected, const TensorView& actual);

/// Returns whether two tensors of one dtype and shape differ in the bits of an element, whose number is in
/// row-major order.
bool differ_at(const TensorView& expected, const TensorView& actual, std::size_t element);

/// Returns the index of an element, whose number is in row-major order.
std::vector<std::int64_t> index_of(std::size_t element, std::span<const std::int64_t> shape);

}  // namespace torchbook::golden
