// A BLAS with a fault, for LD_PRELOAD: sgemm_ of the BLAS behind it, and then one entry of the result is
// spoiled. SPOIL says how: `entry` adds 1e-4, `ulp` takes the next number, `nan` writes a nan.
#include <dlfcn.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

using Gemm = void(const char*, const char*, const int*, const int*, const int*, const float*, const float*,
                  const int*, const float*, const int*, const float*, float*, const int*);

extern "C" void sgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k,
                       const float* alpha, const float* a, const int* lda, const float* b, const int* ldb,
                       const float* beta, float* c, const int* ldc) {
  static auto* const next = reinterpret_cast<Gemm*>(dlsym(RTLD_NEXT, "sgemm_"));
  next(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  const char* const how = std::getenv("SPOIL");
  const std::string_view spoil = how == nullptr ? "" : how;
  if (spoil == "entry") *c += 1e-4F;
  if (spoil == "ulp") *c = std::nextafter(*c, std::numeric_limits<float>::infinity());
  if (spoil == "nan") *c = std::numeric_limits<float>::quiet_NaN();
}
