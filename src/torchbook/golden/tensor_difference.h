// How two tensors differ, told from their bits.
#pragma once

#include <torchbook/golden/mismatch.h>
#include <torchbook/notebook/recorded_tensor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace torchbook::golden {

/// Where two tensors differ, and by how much.
struct TensorDifference {
  /// Why no elements can be compared, such as another shape or dtype; nullopt where they can. With it, all
  /// that follows is empty.
  std::optional<Mismatch> mismatch{};

  // The first element that differs, in row-major order.
  std::vector<std::int64_t> index{};  ///< empty for a 0-d tensor; negative where counted from the end
  std::string golden{};               ///< its values, with the digits that tell them apart
  std::string actual{};
  std::optional<double> absolute{};     ///< |actual - golden|, of numbers
  std::optional<double> relative{};     ///< that by |golden|
  std::optional<std::uint64_t> ulps{};  ///< as below

  // The whole tensor.
  std::size_t elements = 0;   ///< how many it has; 0 where only its text is known
  std::size_t differing = 0;  ///< how many of them differ
  /// The largest distance of two elements that differ, in representable values of a floating dtype: 1 for
  /// neighbours, 0 for zeros of either sign. nullopt for other dtypes, and where one side is always nan.
  std::optional<std::uint64_t> largest_ulps{};
  std::vector<std::int64_t> largest_at{};  ///< the index of the first element that is so far off
};

/// Compares bit for bit; nullopt where dtype, shape and every bit are equal. Each part of a complex element
/// is compared by itself, and its ulps are those of the part that is further off.
std::optional<TensorDifference> tensor_difference(const notebook::RecordedTensor& expected,
                                                  const notebook::RecordedTensor& actual);

/// Whether two tensors of one dtype and shape differ in the bits of an element; counts from the end where its
/// index is negative. An index that neither has differs nowhere.
bool differ_at(const notebook::RecordedTensor& expected, const notebook::RecordedTensor& actual,
               const std::vector<std::int64_t>& index);

}  // namespace torchbook::golden
