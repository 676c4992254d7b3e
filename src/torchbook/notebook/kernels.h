// Which kernels LibTorch and OpenBLAS have, and which of them this processor can run.
#pragma once

#include <string>
#include <string_view>

namespace torchbook::notebook {

/// Returns the best capability of LibTorch's kernels that this processor can run, by LibTorch's own
/// conditions: `DEFAULT`, `AVX2` or `AVX512`. Empty if this is no x86-64.
std::string best_capability();

/// Orders the capabilities of x86-64: 1 for `DEFAULT`, 2 for `AVX2`, 3 for `AVX512`, 0 for any other text.
int capability_rank(std::string_view capability);

/// Returns what an OpenBLAS says of itself, out of Blas::version or Fingerprint::blas: `OpenBLAS 0.3.21
/// DYNAMIC_ARCH Haswell MAX_THREADS=64`. Empty if `blas` holds no such words.
std::string openblas_words(std::string_view blas);

/// Returns the processor whose kernels OpenBLAS runs, as OPENBLAS_CORETYPE takes it, out of openblas_words().
/// Empty if they name none.
std::string openblas_core(std::string_view words);

/// Returns the capability_rank() that OpenBLAS's kernels for `core` need; 0 if that is not known. An x86-64
/// processor dies of kernels that need more than it has.
int rank_for_core(std::string_view core);

/// Returns the kernels that OpenBLAS should run instead, as OPENBLAS_CORETYPE names them. If OpenBLAS does
/// not know a new processor, it runs the kernels of an old one. `words` are its openblas_words(). Empty if
/// its choice is good.
std::string better_openblas_core(std::string_view words, std::string_view best_capability);

}  // namespace torchbook::notebook
