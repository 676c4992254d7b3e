// `torchbook doctor`: what computes here, how fast it multiplies, and what slows it down.
#pragma once

#include <torchbook/notebook/blas.h>
#include <torchbook/notebook/fingerprint.h>

#include <optional>
#include <string>
#include <vector>

namespace torchbook::cli {

/// What the doctor looks at.
struct Examination {
  notebook::Fingerprint fingerprint;
  notebook::Blas blas;
  std::string default_blas{};    ///< the file that the system's libblas.so.3 is; empty for none
  notebook::MatmulSpeed matmul;  ///< LibTorch's
  std::optional<notebook::MatmulSpeed>
      openblas{};                              ///< beside a reference BLAS, where OpenBLAS is on the machine
  std::string openblas_core{};                 ///< that OpenBLAS should rather have chosen; empty for its own
  std::optional<double> gflops_with_core{};    ///< `matmul` of this program with that core
  std::string compiled_against;                ///< the LibTorch of the headers
  std::string asked_capability{};              ///< ATEN_CPU_CAPABILITY; empty where it is not set
  std::string best_capability;                 ///< the most that this processor has
  std::optional<std::string> asked_threads{};  ///< OMP_NUM_THREADS
  int cores = 1;                               ///< that this process may use
};

/// Something that costs the user time or certainty, and what mends it.
struct Warning {
  std::string about;  ///< `blas`, `cpu_capability`, `threads` or `torch`: the field of the fingerprint
  std::string text;
  std::string mend;
};

/// Measures, for half a second where the BLAS is slow.
Examination examine();

/// What is not as it could be.
std::vector<Warning> warnings(const Examination& seen);

/// A field a line, then the warnings.
std::string doctor_text(const Examination& seen);

/// `{"fingerprint": {…}, "matmul": {…}, "warnings": [ … ]}`.
std::string doctor_json(const Examination& seen);

}  // namespace torchbook::cli
