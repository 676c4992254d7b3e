// Describes what computed the outputs, well enough to tell two builds of LibTorch, or two machines, apart.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::trace {

/// The LibTorch or PyTorch that produced a transcript, and what its results may depend on.
struct Fingerprint {
  std::string torch;           ///< `LibTorch 1.13.0`, or `PyTorch 1.13.0` for a twin
  std::string build;           ///< its own description of its build, in one line
  std::string cpu_capability;  ///< the kernels in use: `DEFAULT`, `AVX2`, `AVX512` …
  std::string blas;            ///< the file of the library that really multiplies
  int threads = 0;             ///< the number of threads that an operation may use
  std::string compiler;        ///< the compiler of torchbook, `g++ 12.2.0`; for a twin, its Python
};

/// Returns the fingerprint of this program. All but the compiler comes from the loaded LibTorch, not from its
/// headers.
Fingerprint fingerprint();

/// Returns `at::show_config()`, or Python's `torch.__config__.show()`, in one line. It lacks the capability,
/// which does not belong to the build, and the compiler's warning options.
std::string condensed_config(std::string_view config);

/// Returns the capability that such a configuration names, or an empty string if it names none. `NO AVX`
/// becomes `DEFAULT`.
std::string capability_in(std::string_view config);

}  // namespace torchbook::trace
