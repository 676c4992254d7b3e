// Finds the BLAS that LibTorch actually uses, and measures its speed.
#pragma once

#include <optional>
#include <string>

namespace torchbook::notebook {

/// The library that defines the `sgemm_` which LibTorch calls.
struct Blas {
  std::string file;       ///< the shared object, with links resolved
  bool built_in = false;  ///< the library is LibTorch itself, for example with MKL linked into it
  std::string vendor{};   ///< `OpenBLAS`, `MKL`, `BLIS` …; empty if it is unknown
  std::string version{};  ///< the library's description of itself in one line; empty if it has none

  /// Returns whether this is the reference implementation of netlib.org, which is correct but slow. It says
  /// nothing of itself, so its file name decides.
  bool is_reference() const;
  /// Returns whether it is unknown what this library is.
  bool is_unknown() const { return !built_in && vendor.empty() && !is_reference(); }

  /// Returns the file, followed by the library's description of itself, in one line.
  std::string text() const;
};

/// Returns the BLAS of this process.
Blas loaded_blas();

/// Returns the file of the loaded library that has an address, with links resolved.
std::string library_with(const void* address);

/// The speed of a matrix multiplication.
struct MatmulSpeed {
  std::string blas;     ///< the BLAS that multiplied, in words
  double gflops = 0.0;  ///< 10⁹ floating-point operations per second, the best of several multiplications
};

/// The size of the square float32 matrices that are multiplied. The reference BLAS takes about a tenth of a
/// second for one product.
inline constexpr int matmul_size = 512;

/// Measures LibTorch's own `mm`, with the BLAS that it calls.
MatmulSpeed measured_matmul();

/// Measures the `sgemm_` of an installed OpenBLAS, whether or not LibTorch uses it. Returns nullopt if there
/// is none.
std::optional<MatmulSpeed> measured_openblas();

}  // namespace torchbook::notebook
