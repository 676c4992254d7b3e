// Tests how OpenBLAS's build descriptions are parsed for the name of its kernels.
#include <gtest/gtest.h>
#include <torchbook/notebook/kernels.h>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

namespace torchbook::notebook {
namespace {

/// Returns whether Linux says that it and the processor have all these instructions.
bool system_has(std::initializer_list<const char*> instructions) {
  std::ifstream info("/proc/cpuinfo");
  std::string line;
  while (std::getline(info, line) && !line.starts_with("flags")) continue;
  std::istringstream words(line);
  const std::set<std::string> flags(std::istream_iterator<std::string>(words), {});
  return std::all_of(instructions.begin(), instructions.end(),
                     [&](const char* each) { return flags.contains(each); });
}

TEST(Kernels, TheBestCapabilityIsThatOfTheProcessor) {
#if defined(__x86_64__)
  const bool avx2 = system_has({"avx2", "fma"});
  const bool avx512 = avx2 && system_has({"avx512f", "avx512vl", "avx512bw", "avx512dq"});
  EXPECT_EQ(best_capability(), avx512 ? "AVX512" : avx2 ? "AVX2" : "DEFAULT");
#else
  EXPECT_EQ(best_capability(), "");
#endif
}

TEST(Kernels, AreNamedInOpenblassWords) {
  EXPECT_EQ(openblas_core("OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY Haswell MAX_THREADS=64"),
            "Haswell");
  EXPECT_EQ(openblas_core("OpenBLAS 0.3.29 DYNAMIC_ARCH NO_AFFINITY SkylakeX SINGLE_THREADED"), "SkylakeX");
  EXPECT_EQ(openblas_core("OpenBLAS 0.3.20 USE64BITINT neoversen1"), "neoversen1");
  EXPECT_EQ(openblas_core("OpenBLAS 0.3.20"), "");
  EXPECT_EQ(openblas_core(""), "");
}

TEST(Kernels, WordsAreFoundInWhatBothSidesSayOfTheirBlas) {
  const std::string words = "OpenBLAS 0.3.21 DYNAMIC_ARCH Haswell MAX_THREADS=64";
  EXPECT_EQ(openblas_words(words), words);
  EXPECT_EQ(openblas_words("/usr/lib/openblas-pthread/libblas.so.3 (" + words + ")"), words);
  EXPECT_EQ(openblas_words("/usr/lib/libblas.so.3, /usr/lib/libopenblasp-r0.3.21.so (" + words + "), /x.so"),
            words);
  EXPECT_EQ(openblas_words("/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3"), "");
}

/// The codes are those of dnnl_cpu_isa_t, a public enumeration of oneDNN.
TEST(Kernels, OfOneDnnHaveTheNamesOfItsEnumeration) {
  EXPECT_EQ(onednn_name(0x7), "AVX2");
  EXPECT_EQ(onednn_name(0x27), "AVX512_CORE");
  EXPECT_EQ(onednn_name(0), "");
}

TEST(Kernels, NeedACapability) {
  EXPECT_EQ(rank_for_core("Prescott"), capability_rank("DEFAULT"));
  EXPECT_EQ(rank_for_core("Haswell"), capability_rank("AVX2"));
  EXPECT_EQ(rank_for_core("Zen"), capability_rank("AVX2"));
  EXPECT_EQ(rank_for_core("SkylakeX"), capability_rank("AVX512"));
  EXPECT_EQ(rank_for_core("Sapphirerapids"), capability_rank("AVX512"));
  EXPECT_EQ(rank_for_core("neoversen1"), 0);
  EXPECT_LT(capability_rank("DEFAULT"), capability_rank("AVX2"));
  EXPECT_LT(capability_rank("AVX2"), capability_rank("AVX512"));
}

TEST(Kernels, OfAnOldProcessorAreToldFromThoseOfThisOne) {
  const std::string prescott = "OpenBLAS 0.3.21 DYNAMIC_ARCH NO_AFFINITY Prescott MAX_THREADS=64";
  EXPECT_EQ(better_openblas_core(prescott, "AVX512"), "SkylakeX");
  EXPECT_EQ(better_openblas_core(prescott, "AVX2"), "Haswell");
  EXPECT_EQ(better_openblas_core(prescott, "DEFAULT"), "");
  EXPECT_EQ(better_openblas_core("OpenBLAS 0.3.21 DYNAMIC_ARCH Nehalem", "AVX2"), "Haswell");
  EXPECT_EQ(better_openblas_core("OpenBLAS 0.3.29 DYNAMIC_ARCH Sapphirerapids MAX_THREADS=64", "AVX512"), "");
  EXPECT_EQ(better_openblas_core("", "AVX512"), "");
}

}  // namespace
}  // namespace torchbook::notebook
