// Implements `torchbook doctor`: what computes here, how fast it multiplies, and what slows it down.
#pragma once

#include <torchbook/notebook/blas.h>
#include <torchbook/notebook/fingerprint.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace torchbook::cli {

/// What the doctor examines.
struct Examination {
  notebook::Fingerprint fingerprint;
  std::vector<std::pair<std::string, std::string>> machine{};  ///< names and values of `this_machine()`
  notebook::Blas blas;
  std::string default_blas{};    ///< the file of the system's libblas.so.3; empty if there is none
  notebook::MatmulSpeed matmul;  ///< the speed of LibTorch
  std::optional<notebook::MatmulSpeed>
      openblas{};               ///< the speed of an installed OpenBLAS, if LibTorch uses a reference BLAS
  std::string openblas_core{};  ///< the kernels that OpenBLAS should have chosen; empty if its choice is good
  std::optional<double> gflops_with_core{};    ///< `matmul` of this program with that core
  std::string compiled_against;                ///< the LibTorch of the headers
  std::string asked_core{};                    ///< OPENBLAS_CORETYPE; empty if it is not set
  std::string asked_capability{};              ///< ATEN_CPU_CAPABILITY; empty if it is not set
  std::string best_capability;                 ///< the best capability of this processor
  std::optional<std::string> asked_threads{};  ///< OMP_NUM_THREADS
  int cores = 1;                               ///< cores that this process may use
};

/// Something that costs the user time or certainty, and its remedy.
struct Warning {
  std::string about;  ///< `blas`, `cpu_capability`, `threads` or `torch`: the field of the fingerprint
  std::string text;
  std::string mend;
};

/// Examines this process, which takes half a second if the BLAS is slow.
Examination examine();

/// Returns a warning for each problem that the examination found.
std::vector<Warning> warnings(const Examination& seen);

/// Returns a line for each field, then the warnings.
std::string doctor_text(const Examination& seen);

/// Returns `{"fingerprint": {…}, "machine": {…}, "matmul": {…}, "warnings": [ … ]}`.
std::string doctor_json(const Examination& seen);

}  // namespace torchbook::cli
