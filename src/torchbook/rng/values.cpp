// Follows LibTorch's kernels: ATen/core/TransformationHelper.h, ATen/native/cpu/DistributionTemplates.h.
#include <torchbook/rng/values.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace torchbook::rng {
namespace {

/// Returns a uniform value in [0, 1) with the precision of the dtype.
double uniform(Dtype dtype, Mt19937& draw) {
  const int bits = uniform_bits(dtype);
  const std::uint64_t value = dtype == Dtype::float64 ? draw.draw_64() : draw();
  return std::ldexp(static_cast<double>(value & ((std::uint64_t{1} << bits) - 1)), -bits);
}

/// Transforms sixteen uniform values to normal ones, in pairs at `j` and `j` + 8.
template <typename T>
void transform_block(double* block) {
  for (int j = 0; j < 8; ++j) {
    const T u1 = 1 - static_cast<T>(block[j]), u2 = static_cast<T>(block[j + 8]);
    const T radius = std::sqrt(-2 * std::log(u1));
    const auto theta = static_cast<T>(2.0F * std::numbers::pi * u2);
    block[j] = radius * std::cos(theta);
    block[j + 8] = radius * std::sin(theta);
  }
}

template <typename T>
void fill_normal(std::vector<double>& values, Dtype dtype, Mt19937& draw) {
  for (auto& value : values) value = uniform(dtype, draw);
  const auto size = static_cast<std::int64_t>(values.size());
  for (std::int64_t i = 0; i + normal_block <= size; i += normal_block) transform_block<T>(&values[i]);
  if (size % normal_block == 0) return;
  double* const last = &values[size - normal_block];  // drawn once more
  for (std::int64_t i = 0; i < normal_block; ++i) last[i] = uniform(dtype, draw);
  transform_block<T>(last);
}

/// Returns the next normal value, as LibTorch does outside of blocks. Values are made in pairs.
double normal(Generator& generator) {
  if (generator.kept_normal) return *std::exchange(generator.kept_normal, std::nullopt);
  const double u1 = uniform(Dtype::float64, generator.draw);
  const double u2 = uniform(Dtype::float64, generator.draw);
  const double radius = std::sqrt(-2.0 * std::log(1.0 - u2));
  const double theta = 2.0 * std::numbers::pi * u1;
  generator.kept_normal = radius * std::sin(theta);
  return radius * std::cos(theta);
}

std::vector<double> normals(const Call& call, Generator& generator) {
  std::vector<double> values(call.count);
  if (!draws_in_blocks(call)) {
    for (auto& value : values) value = normal(generator);
  } else if (call.dtype == Dtype::float64) {
    fill_normal<double>(values, call.dtype, generator.draw);
  } else if (call.dtype == Dtype::float32) {
    fill_normal<float>(values, call.dtype, generator.draw);
  } else {
    throw std::invalid_argument("normal values of 16 bits are not computed in blocks");
  }
  return values;
}

std::vector<std::int64_t> integers(const Call& call, Mt19937& draw) {
  const std::uint64_t range = range_of(call);
  std::vector<std::int64_t> values(call.count);
  for (auto& value : values) {
    std::uint64_t drawn = draws_pairs(call) ? draw.draw_64() : draw();
    if (range != 0) drawn %= range;
    value = static_cast<std::int64_t>(drawn + static_cast<std::uint64_t>(call.low));
  }
  return values;
}

std::vector<std::int64_t> permutation(std::int64_t count, Mt19937& draw) {
  std::vector<std::int64_t> values(count);
  std::iota(values.begin(), values.end(), 0);
  for (std::int64_t i = 0; i + 1 < count; ++i) std::swap(values[i], values[i + draw() % (count - i)]);
  return values;
}

}  // namespace

Values values(const Call& call, Generator& generator) {
  auto& draw = generator.draw;
  switch (call.function) {
    case Function::randn:
      return {.floating = normals(call, generator)};
    case Function::randint:
      return {.integers = integers(call, draw)};
    case Function::randperm:
      return {.integers = permutation(call.count, draw)};
    default:
      break;
  }
  Values result{.floating = std::vector<double>(call.count)};
  for (auto& value : result.floating) {
    if (call.function == Function::rand) {
      value = uniform(call.dtype, draw);
    } else if (call.function == Function::mask) {
      value = uniform(Dtype::float64, draw) < call.probability ? 1 : 0;
    } else {
      value = uniform(Dtype::float32, draw) < static_cast<float>(call.probability) ? 1 : 0;
    }
  }
  return result;
}

}  // namespace torchbook::rng
