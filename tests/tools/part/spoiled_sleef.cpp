// Kernels with a fault, for LD_PRELOAD: the vectorized tanh and exp of AVX2. SPOIL is `nan`, or a factor of
// their results.
#include <dlfcn.h>
#include <immintrin.h>

#include <cstdlib>
#include <limits>
#include <string_view>

using Kernel = __m256(__m256);

static __m256 spoiled(const char* name, __m256 x) {
  const char* const how = std::getenv("SPOIL");
  if (how != nullptr && std::string_view(how) == "nan")
    return _mm256_set1_ps(std::numeric_limits<float>::quiet_NaN());
  const auto factor = how == nullptr ? 1.F : std::strtof(how, nullptr);
  return _mm256_mul_ps(reinterpret_cast<Kernel*>(dlsym(RTLD_NEXT, name))(x), _mm256_set1_ps(factor));
}

extern "C" __m256 Sleef_tanhf8_u10(__m256 x) { return spoiled("Sleef_tanhf8_u10", x); }
extern "C" __m256 Sleef_expf8_u10(__m256 x) { return spoiled("Sleef_expf8_u10", x); }
