// The BLAS that LibTorch really multiplies with, and how fast it does.
#pragma once

#include <optional>
#include <string>

namespace torchbook::notebook {

/// The library that defines the `sgemm_` that LibTorch calls.
struct Blas {
  std::string file;       ///< the shared object, links resolved
  bool built_in = false;  ///< that is LibTorch itself, as where MKL is linked into it
  std::string vendor{};   ///< `OpenBLAS`, `MKL`, `BLIS` …; empty where nothing tells one
  std::string version{};  ///< what it says of itself, in one line; empty where it says nothing

  /// Whether this is the reference implementation of netlib.org, which is correct, and slow.
  bool is_reference() const { return !built_in && vendor.empty(); }

  /// In one line: the file, and behind it what it says of itself.
  std::string text() const;
};

/// The BLAS of this process.
Blas loaded_blas();

/// How fast something multiplied.
struct MatmulSpeed {
  std::string blas;     ///< with what, in words
  double gflops = 0.0;  ///< 10⁹ floating point operations a second, the best of several multiplications
};

/// The size of the square float32 matrices that the speeds are measured with. The reference BLAS takes about
/// a tenth of a second for one product.
inline constexpr int matmul_size = 512;

/// LibTorch's own `mm`, by whatever it calls.
MatmulSpeed measured_matmul();

/// The `sgemm_` of an OpenBLAS that lies on this machine, whether or not LibTorch uses it; nullopt without
/// one.
std::optional<MatmulSpeed> measured_openblas();

}  // namespace torchbook::notebook
