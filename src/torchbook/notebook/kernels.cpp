// Queries the processor, and parses the text in which OpenBLAS describes itself.
#include <torchbook/notebook/kernels.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

namespace torchbook::notebook {
namespace {

struct Core {
  std::string_view name;
  int rank;
};

// Omits the cores that need an AMD processor, such as Bulldozer: a rank does not show whether they
// can run.
constexpr std::array cores = {Core{"Katmai", 1},      Core{"Coppermine", 1}, Core{"Northwood", 1},
                              Core{"Prescott", 1},    Core{"Banias", 1},     Core{"Core2", 1},
                              Core{"Penryn", 1},      Core{"Dunnington", 1}, Core{"Nehalem", 1},
                              Core{"Athlon", 1},      Core{"Opteron", 1},    Core{"Barcelona", 1},
                              Core{"Bobcat", 1},      Core{"Atom", 1},       Core{"Nano", 1},
                              Core{"Sandybridge", 1}, Core{"Haswell", 2},    Core{"Zen", 2},
                              Core{"SkylakeX", 3},    Core{"Cooperlake", 3}, Core{"SapphireRapids", 3}};

struct Instructions {
  int encoded;
  std::string_view name;
};

// From oneDNN's dnnl_types.h. Releases 2 and 3 encode some of them differently.
constexpr std::array onednn_instructions = {Instructions{0x1, "SSE41"},
                                            Instructions{0x3, "AVX"},
                                            Instructions{0x7, "AVX2"},
                                            Instructions{0xf, "AVX2_VNNI"},
                                            Instructions{0x407, "AVX2_VNNI"},
                                            Instructions{0x27, "AVX512_CORE"},
                                            Instructions{0x67, "AVX512_CORE_VNNI"},
                                            Instructions{0xe7, "AVX512_CORE_BF16"},
                                            Instructions{0x1ef, "AVX512_CORE_FP16"},
                                            Instructions{0x3e7, "AVX512_CORE_AMX"},
                                            Instructions{0xfef, "AVX512_CORE_AMX"}};

}  // namespace

bool same_core(std::string_view one, std::string_view other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
}

std::string best_capability() {
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  const bool avx512 = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
                      __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0;
  return avx2 && avx512 ? "AVX512" : avx2 ? "AVX2" : "DEFAULT";
#else
  return "";
#endif
}

int capability_rank(std::string_view capability) {
  return capability == "AVX512" ? 3 : capability == "AVX2" ? 2 : capability == "DEFAULT" ? 1 : 0;
}

std::string_view onednn_name(int instructions) {
  const auto* found = std::find_if(onednn_instructions.begin(), onednn_instructions.end(),
                                   [&](const Instructions& one) { return one.encoded == instructions; });
  return found == onednn_instructions.end() ? std::string_view{} : found->name;
}

std::string openblas_words(std::string_view blas) {
  const auto start = blas.find("OpenBLAS ");
  if (start == blas.npos) return "";
  return std::string(blas.substr(start, blas.find(')', start) - start));
}

std::string openblas_core(std::string_view words) {
  std::istringstream rest{std::string(words)};
  std::string word;
  rest >> word >> word;  // OpenBLAS and its release
  std::string core;
  while (rest >> word) {
    if (word.find('=') == word.npos && word != "SINGLE_THREADED") core = word;
  }
  return core;
}

int rank_for_core(std::string_view core) {
  const auto* found =
      std::find_if(cores.begin(), cores.end(), [&](const Core& one) { return same_core(one.name, core); });
  return found == cores.end() ? 0 : found->rank;
}

std::string better_openblas_core(std::string_view words, std::string_view best_capability) {
  const bool old = rank_for_core(openblas_core(words)) == 1 && capability_rank(best_capability) > 1;
  return !old ? "" : best_capability == "AVX512" ? "SkylakeX" : "Haswell";
}

}  // namespace torchbook::notebook
