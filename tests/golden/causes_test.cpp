// Tests which differences of two fingerprints explain other bits, and which settings remove them.
#include <gtest/gtest.h>
#include <torchbook/golden/causes.h>

namespace torchbook::golden {
namespace {

using notebook::Fingerprint;

/// Debian's LibTorch, on a processor with AVX-512.
Fingerprint debian() {
  return {.torch = "LibTorch 1.13.0",
          .build =
              "GCC 12.2; C++ Version: 201402; Intel(R) MKL-DNN v2.6.3 (Git Hash N/A); Build settings: "
              "BLAS_INFO=generic, BUILD_TYPE=RelWithDebInfo",
          .cpu_capability = "AVX2",
          .blas =
              "/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3 (OpenBLAS 0.3.21 NO_LAPACKE "
              "DYNAMIC_ARCH NO_AFFINITY SkylakeX MAX_THREADS=64)",
          .threads = 2,
          .compiler = "g++ 12.2.0"};
}

/// The fingerprint of the same build's PyTorch, in Python's words.
Fingerprint debians_pytorch() {
  return {.torch = "PyTorch 1.13.0a0",
          .build =
              "PyTorch built with: - GCC 12.2 - C++ Version: 201402 - Intel(R) MKL-DNN v2.6.3 (Git Hash "
              "N/A) - CPU capability usage: AVX2 - Build settings: BLAS_INFO=generic, "
              "BUILD_TYPE=RelWithDebInfo, CXX_FLAGS=-Wall",
          .cpu_capability = "AVX2",
          .blas =
              "/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3, "
              "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblasp-r0.3.21.so (OpenBLAS 0.3.21 "
              "NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY SkylakeX MAX_THREADS=64)",
          .threads = 2,
          .compiler = "Python 3.11.2"};
}

/// A PyTorch that pip installed. MKL is built into it. NumPy loaded an OpenBLAS, which PyTorch does not call.
Fingerprint pips_pytorch() {
  return {.torch = "PyTorch 2.6.0+cpu",
          .build =
              "PyTorch built with: - GCC 9.3 - C++ Version: 201703 - Intel(R) oneAPI Math Kernel Library "
              "Version 2024.2-Product Build 20240605 for Intel(R) 64 - Intel(R) MKL-DNN v3.5.3 (Git Hash "
              "66f0cb9) - Build settings: BLAS_INFO=mkl, BUILD_TYPE=Release",
          .cpu_capability = "AVX512",
          .blas = "/opt/numpy.libs/libopenblas64_p-r0-15028c96.3.21.so (OpenBLAS 0.3.21 Haswell)",
          .threads = 2,
          .compiler = "Python 3.12.1"};
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  for (auto at = text.find(old); at != text.npos; at = text.find(old, at + by.size())) {
    text.replace(at, old.size(), by);
  }
  return text;
}

/// Returns all causes as text, a line for each: `about: text [setting]`.
std::string told(const Fingerprint& here, const Fingerprint& pytorch,
                 const std::string& best_capability = "AVX512") {
  std::string text;
  for (const auto& cause : causes(here, pytorch, best_capability)) {
    text += cause.about + ": " + cause.text + " [" + cause.setting + "]\n";
  }
  return text;
}

TEST(Causes, AreNoneBetweenOneLibraryAsCppAndAsPythonWordIt) {
  EXPECT_EQ(told(debian(), debians_pytorch()), "");
}

TEST(Causes, OtherKernelsOfLibTorch) {
  auto here = debian();
  here.cpu_capability = "DEFAULT";
  EXPECT_EQ(told(here, debians_pytorch()),
            "cpu_capability: LibTorch runs its DEFAULT kernels here, AVX2 kernels in PyTorch "
            "[ATEN_CPU_CAPABILITY=avx2]\n");
  auto there = debians_pytorch();
  there.cpu_capability = "DEFAULT";
  EXPECT_EQ(told(debian(), there),
            "cpu_capability: LibTorch runs its AVX2 kernels here, DEFAULT kernels in PyTorch "
            "[ATEN_CPU_CAPABILITY=default]\n");
}

TEST(Causes, KernelsThatThisProcessorCannotRunAreNoSetting) {
  auto there = debians_pytorch();
  there.cpu_capability = "AVX512";
  auto here = debian();
  here.blas = replaced(here.blas, "SkylakeX", "Haswell");
  EXPECT_EQ(told(here, there, "AVX2"),
            "cpu_capability: LibTorch runs its AVX2 kernels here, AVX512 kernels in PyTorch, which this "
            "processor does not have []\n"
            "blas: OpenBLAS runs its Haswell kernels here, SkylakeX kernels in PyTorch []\n");
  auto oldest = debian();
  oldest.cpu_capability = "DEFAULT";
  EXPECT_EQ(told(oldest, debians_pytorch(), "DEFAULT"),
            "cpu_capability: LibTorch runs its DEFAULT kernels here, AVX2 kernels in PyTorch, which this "
            "processor does not have []\n");
}

TEST(Causes, OtherKernelsOfOnednn) {
  auto here = debian();
  auto there = debians_pytorch();
  here.onednn = 0x3e7;
  EXPECT_EQ(told(here, there), "");  // what is unknown is no cause
  there.onednn = 0xfef;              // the same in another release's code
  EXPECT_EQ(told(here, there), "");
  there.onednn = 0x7;
  EXPECT_EQ(told(here, there),
            "onednn: oneDNN runs its AVX512_CORE_AMX kernels here, AVX2 kernels in PyTorch "
            "[ONEDNN_MAX_CPU_ISA=AVX2]\n");
}

TEST(Causes, OtherKernelsOfOpenblas) {
  auto there = debians_pytorch();
  there.blas = replaced(there.blas, "SkylakeX", "Haswell");
  EXPECT_EQ(told(debian(), there),
            "blas: OpenBLAS runs its SkylakeX kernels here, Haswell kernels in PyTorch "
            "[OPENBLAS_CORETYPE=Haswell]\n");
}

TEST(Causes, AnOpenblasThatTakesTheProcessorForAnOldOne) {
  auto here = debian();
  here.blas = replaced(here.blas, "SkylakeX", "Prescott");
  EXPECT_EQ(told(here, debians_pytorch()),
            "blas: OpenBLAS runs its Prescott kernels here, SkylakeX kernels in PyTorch; this processor is "
            "newer than a Prescott [OPENBLAS_CORETYPE=SkylakeX]\n");
}

TEST(Causes, AnOpenblasThatHasOneKindOfKernelsHasNoSetting) {
  auto here = debian();
  here.blas = replaced(here.blas, "DYNAMIC_ARCH ", "");
  auto there = debians_pytorch();
  there.blas = replaced(there.blas, "SkylakeX", "Haswell");
  EXPECT_EQ(told(here, there),
            "blas: OpenBLAS runs its SkylakeX kernels here, Haswell kernels in PyTorch []\n");
}

TEST(Causes, AnotherReleaseOfOpenblas) {
  auto here = debian();
  here.blas = replaced(here.blas, "0.3.21", "0.3.29");
  EXPECT_EQ(told(here, debians_pytorch()), "blas: OpenBLAS 0.3.29 here, 0.3.21 in PyTorch []\n");
}

TEST(Causes, AnotherBlas) {
  auto here = debian();
  here.blas = "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0";
  EXPECT_EQ(told(here, debians_pytorch()),
            "blas: /usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0 here, OpenBLAS in PyTorch []\n");
  auto there = debians_pytorch();
  there.blas = "/opt/libscipy_openblas64_.so, /usr/lib/x86_64-linux-gnu/blas/libblas.so.3.11.0";
  EXPECT_EQ(told(here, there), "");  // Python has loaded several files, and one of them is ours
}

TEST(Causes, AnotherReleaseBuiltByOthers) {
  EXPECT_EQ(told(debian(), pips_pytorch()),
            "torch: release 1.13.0 here, 2.6.0 in PyTorch []\n"
            "build: built with GCC 12.2 here, GCC 9.3 in PyTorch []\n"
            "build: built with MKL-DNN v2.6.3 here, MKL-DNN v3.5.3 in PyTorch []\n"
            "cpu_capability: LibTorch runs its AVX2 kernels here, AVX512 kernels in PyTorch "
            "[ATEN_CPU_CAPABILITY=avx512]\n"
            "blas: OpenBLAS here, MKL in PyTorch []\n");
}

TEST(Causes, OtherThreads) {
  auto there = debians_pytorch();
  there.threads = 16;
  EXPECT_EQ(told(debian(), there),
            "threads: threads of an operation: 2 here, 16 in PyTorch [OMP_NUM_THREADS=16]\n");
}

/// Returns a run whose only cell has this judgement.
JudgedTranscript judged(Verdict verdict, std::vector<ElementDifference> elements) {
  return {.transcript = {}, .judgements = {{1, {.verdict = verdict, .elements = std::move(elements)}}}};
}

TEST(ValuesDiffer, WhereKernelsCouldBeTheReason) {
  const ElementDifference bits{.where = "result", .tensor = 1, .values = {.golden = "1.0", .actual = "1.1"}};
  const ElementDifference near{.where = "result", .tensor = 1, .values = {.largest_ulps = 3}};
  const ElementDifference nan{
      .where = "result", .tensor = 1, .values = {.without_ulps = 1, .largest_ulps = 1}};
  const ElementDifference shape{
      .where = "result", .tensor = 1, .values = {.mismatch = Mismatch{"shape (1,)", "(2,)"}}};
  EXPECT_TRUE(values_differ(judged(Verdict::equal_as_printed, {bits}), Accept::equal));
  EXPECT_TRUE(values_differ(judged(Verdict::different, {shape, bits}), Accept::printed));
  EXPECT_FALSE(values_differ(judged(Verdict::equal_as_printed, {bits}), Accept::printed));
  EXPECT_FALSE(values_differ(judged(Verdict::different, {shape}), Accept::equal));
  EXPECT_FALSE(values_differ(judged(Verdict::different, {}), Accept::equal));
  EXPECT_FALSE(values_differ(judged(Verdict::equal, {}), Accept::equal));
  EXPECT_FALSE(values_differ(judged(Verdict::different, {near}), {Accept::ulps, 3}));
  EXPECT_TRUE(values_differ(judged(Verdict::different, {near}), {Accept::ulps, 2}));
  EXPECT_TRUE(values_differ(judged(Verdict::different, {near, nan}), {Accept::ulps, 3}));
}

}  // namespace
}  // namespace torchbook::golden
