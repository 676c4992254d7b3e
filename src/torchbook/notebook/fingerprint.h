// What computed: enough to tell two builds of LibTorch, or two machines, apart.
#pragma once

#include <string>

namespace torchbook {

/// The LibTorch, or the PyTorch, that produced a transcript, and what its results may depend on.
struct Fingerprint {
  std::string torch;           ///< `LibTorch 1.13.1`, or `PyTorch 1.13.1` of a twin
  std::string build;           ///< how it was built, in one line, as it says so itself
  std::string cpu_capability;  ///< the kernels in use: `DEFAULT`, `AVX2`, `AVX512` …
  std::string blas;            ///< the library that really multiplies: its file
  int threads = 0;             ///< how many threads an operation may use
  std::string compiler;        ///< what compiled torchbook, `g++ 12.2.0`; of a twin its Python
};

/// This program's.
Fingerprint fingerprint();

}  // namespace torchbook
