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

/// Returns the name by which ONEDNN_MAX_CPU_ISA asks for the instruction sets of Fingerprint::onednn, as
/// `AVX2`. Returns an empty text if they are unknown.
std::string_view onednn_name(int instructions);

/// Returns the text in which OpenBLAS describes itself, from Blas::version or Fingerprint::blas:
/// `OpenBLAS 0.3.21 DYNAMIC_ARCH Haswell MAX_THREADS=64`. Returns an empty text if `blas` has none.
std::string openblas_words(std::string_view blas);

/// Returns the core whose kernels OpenBLAS runs, as OPENBLAS_CORETYPE names it. `words` are the
/// openblas_words(). Returns an empty text if they name none.
std::string openblas_core(std::string_view words);

/// Returns whether two names mean the same core. Compares as OpenBLAS does, without regard to case.
bool same_core(std::string_view one, std::string_view other);

/// Returns the capability_rank() that OpenBLAS's kernels for `core` need, or 0 if it is unknown.
/// Kernels that need more than the processor has crash the program.
int rank_for_core(std::string_view core);

/// Returns the core whose kernels OpenBLAS should run instead, as OPENBLAS_CORETYPE names it, or an
/// empty text if its choice is good. If OpenBLAS does not know a new processor, it runs the kernels
/// of an old core. `words` are its openblas_words().
std::string better_openblas_core(std::string_view words, std::string_view best_capability);

/// Returns what follows `key` in a description, up to one of `ends`; empty if the key is not there.
inline std::string_view text_after(std::string_view text, std::string_view key, std::string_view ends) {
  const auto at = text.find(key);
  if (at == text.npos) return {};
  text.remove_prefix(at + key.size());
  return text.substr(0, text.find_first_of(ends));
}

}  // namespace torchbook::notebook
