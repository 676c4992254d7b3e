// What computed: enough to tell two builds of LibTorch, or two machines, apart.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::notebook {

/// The LibTorch, or the PyTorch, that produced a transcript, and what its results may depend on.
struct Fingerprint {
  std::string torch;           ///< `LibTorch 1.13.0`, or `PyTorch 1.13.0` of a twin
  std::string build;           ///< how it was built, in one line, as it says so itself
  std::string cpu_capability;  ///< the kernels in use: `DEFAULT`, `AVX2`, `AVX512` …
  std::string blas;            ///< the library that really multiplies: its file
  int threads = 0;             ///< how many threads an operation may use
  std::string compiler;        ///< what compiled torchbook, `g++ 12.2.0`; of a twin its Python
};

/// This program's. All but the compiler is asked of the LibTorch that is loaded, not of its headers.
Fingerprint fingerprint();

/// `at::show_config()`, or Python's `torch.__config__.show()`, in one line: without the capability, which is
/// no matter of the build, and without the compiler's options about warnings.
std::string condensed_config(std::string_view config);

/// The capability that such a configuration names: `DEFAULT` for its `NO AVX`; empty where it names none.
std::string capability_in(std::string_view config);

}  // namespace torchbook::notebook
