// Draws arrays and numbers as the module numpy.random does.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <string>

namespace torchbook::np::random {

/// NumPy's `np.random.seed(seed)`. Every port calls it before it draws, because NumPy starts from another
/// state in each run. Throws c10::Error if the seed does not fit into 32 bits.
void seed(std::int64_t seed);

/// Returns the state of the generator as a text; empty if it was not seeded.
std::string state();

/// `np.random.rand()`, `randn()`, `uniform(low, high)`, `normal(mean, deviation)` and `randint(low, high)`,
/// where `high` is excluded. Throw c10::Error if there is nothing to draw from.
double rand();
double randn();
double uniform(double low, double high);
double normal(double mean, double deviation);
std::int64_t randint(std::int64_t low, std::int64_t high);

/// The same for arrays of these sizes.
at::Tensor rand(at::IntArrayRef sizes);
at::Tensor randn(at::IntArrayRef sizes);
at::Tensor uniform(double low, double high, at::IntArrayRef sizes);
at::Tensor normal(double mean, double deviation, at::IntArrayRef sizes);
at::Tensor randint(std::int64_t low, std::int64_t high, at::IntArrayRef sizes);

/// `np.random.permutation(count)`
at::Tensor permutation(std::int64_t count);

/// `np.random.choice(count, size, replace)`: indices below `count`.
at::Tensor choice(std::int64_t count, std::int64_t size, bool replace);

}  // namespace torchbook::np::random
