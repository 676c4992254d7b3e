// Describes the LibTorch build and the machine that computed outputs, in enough detail to
// distinguish them.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::notebook {

/// The LibTorch or PyTorch that produced a transcript, and the settings that may affect its
/// results.
struct Fingerprint {
  std::string torch;           ///< `LibTorch 1.13.0`, or `PyTorch 1.13.0` for a twin
  std::string build;           ///< its own description of its build, in one line
  std::string cpu_capability;  ///< the kernels in use: `DEFAULT`, `AVX2`, `AVX512` …
  int onednn = 0;              ///< the instruction sets of oneDNN's kernels, as it encodes them; 0 if unknown
  std::string blas;            ///< the file of the library that really multiplies
  int threads = 0;             ///< the number of threads that an operation may use
  std::string compiler;        ///< the compiler of torchbook, `g++ 12.2.0`; for a twin, its Python
  std::string library{};       ///< the file of LibTorch that is loaded; empty if a recording has none
};

/// Returns the fingerprint of this program. All but the compiler comes from the loaded LibTorch, not from its
/// headers.
Fingerprint fingerprint();

/// Condenses `at::show_config()`, or Python's `torch.__config__.show()`, into one line. Leaves out
/// the CPU capability, which is not part of the build, and the compiler's warning options.
std::string condensed_config(std::string_view config);

/// Returns the CPU capability in such a configuration, or an empty string if there is none. `NO
/// AVX` becomes `DEFAULT`.
std::string capability_in(std::string_view config);

}  // namespace torchbook::notebook
