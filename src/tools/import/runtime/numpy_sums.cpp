// Adds floats in the order in which NumPy adds them: row by row, and in a row by its pairwise sum.
#include <ATen/ATen.h>
#include <torchbook/runtime/numpy.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <numeric>

namespace torchbook::np {
namespace {

/// NumPy's sum of neighbours: up to 128 numbers in eight sums, and more of them as the sum of two halves.
template <class T>
T pairwise_sum(const T* values, std::int64_t count) {
  constexpr std::int64_t ways = 8, at_once = 128;
  if (count < ways) return std::accumulate(values, values + count, T{0});
  if (count > at_once) {
    const auto half = count / 2 - count / 2 % ways;
    return pairwise_sum(values, half) + pairwise_sum(values + half, count - half);
  }
  std::array<T, ways> sums{};
  std::copy_n(values, ways, sums.begin());
  std::int64_t i = ways;
  for (; i + ways <= count; i += ways)
    for (std::size_t way = 0; way < sums.size(); ++way)
      sums[way] += values[i + static_cast<std::int64_t>(way)];
  const T whole = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  return std::accumulate(values + i, values + count, whole);
}

/// Adds the elements of `array`, (outer, count, inner), along its second dimension.
template <class T>
void add_along(const at::Tensor& array, const at::Tensor& result) {
  const auto count = array.size(1), inner = array.size(2);
  const T* from = array.data_ptr<T>();
  T* to = result.data_ptr<T>();
  for (std::int64_t i = 0; i < array.size(0); ++i, to += inner) {
    if (inner == 1) *to += pairwise_sum(from, count);
    for (std::int64_t j = 0; inner > 1 && j < count; ++j)
      std::transform(to, to + inner, from + j * inner, to, std::plus<>());
    from += count * inner;
  }
}

/// Whether each dimension lies in the memory of the one before it, as NumPy then visits them.
bool is_in_order(const at::Tensor& array) {
  std::int64_t step = 0;
  for (auto i = array.dim(); i-- > 0;) {
    if (array.size(i) > 1 && array.stride(i) < step) return false;
    if (array.size(i) > 1) step = array.stride(i);
  }
  return true;
}

at::Tensor sum_of_floats(const at::Tensor& array, const c10::optional<std::int64_t>& axis) {
  if (array.dim() == 2 && array.stride(0) < array.stride(1))
    return sum_of_floats(array.t(), axis ? c10::optional<std::int64_t>(1 - *axis) : c10::nullopt);
  TORCH_CHECK(is_in_order(array),
              "the sum of an array is not computed if its elements lie elsewhere in memory than in rows");
  const auto sizes = array.sizes();
  const auto from = axis ? static_cast<std::size_t>(*axis) : 0, to = axis ? from + 1 : sizes.size();
  auto left = sizes.slice(0, from).vec();
  left.insert(left.end(), sizes.begin() + static_cast<std::ptrdiff_t>(to), sizes.end());
  auto result = at::zeros(left, array.options());
  const auto three = array.contiguous().view({c10::multiply_integers(sizes.slice(0, from)),
                                              c10::multiply_integers(sizes.slice(from, to - from)),
                                              c10::multiply_integers(sizes.slice(to))});
  constexpr std::int64_t most = 8192;  // in the buffer in which NumPy before 2.3 added them
  TORCH_CHECK(three.size(1) <= most || three.size(2) > 1,
              "the sum of more than 8192 floats is not computed, because releases of NumPy add them in "
              "different orders");
  AT_DISPATCH_FLOATING_TYPES(array.scalar_type(), "np.sum", [&] { add_along<scalar_t>(three, result); });
  return result;
}

/// Returns how many elements a sum adds.
std::int64_t count_of(const at::Tensor& array, const c10::optional<std::int64_t>& axis) {
  const auto count = axis ? array.size(*axis) : array.numel();
  TORCH_CHECK(count > 0, "the mean of an empty array is not computed: NumPy warns then");
  return count;
}

}  // namespace

at::Tensor sum(const at::Tensor& array, c10::optional<std::int64_t> axis, bool keepdims) {
  if (axis) axis = at::maybe_wrap_dim(*axis, array.dim());
  auto whole = array.is_floating_point() ? sum_of_floats(array, axis)
               : axis                    ? at::sum(array, *axis)
                                         : at::sum(array);
  if (!keepdims) return whole;
  return axis ? whole.unsqueeze(*axis) : whole.view(std::vector<std::int64_t>(array.dim(), 1));
}

at::Tensor mean(const at::Tensor& array, c10::optional<std::int64_t> axis, bool keepdims) {
  const auto whole = sum(array, axis, keepdims);
  const auto floats = array.is_floating_point() ? whole : whole.to(at::kDouble);
  return floats / count_of(array, axis);
}

at::Tensor var(const at::Tensor& array, c10::optional<std::int64_t> axis, std::int64_t ddof, bool keepdims) {
  const auto floats = array.is_floating_point() ? array : array.to(at::kDouble);
  const auto distance = floats - mean(array, axis, /*keepdims=*/true);
  return sum(distance * distance, axis, keepdims) / std::max<std::int64_t>(count_of(array, axis) - ddof, 0);
}

}  // namespace torchbook::np
