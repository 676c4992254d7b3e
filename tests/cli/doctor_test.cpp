// Tests when the doctor warns and when it does not. doctor_test.py compares its findings with PyTorch's.
#include <gtest/gtest.h>
#include <torchbook/cli/commands/doctor.h>

#include <nlohmann/json.hpp>

namespace torchbook::cli {
namespace {

/// Returns a machine without any problem.
Examination healthy() {
  return {.fingerprint = {.torch = "LibTorch 2.6.0",
                          .build = "GCC 14.2",
                          .cpu_capability = "AVX512",
                          .onednn = 0xfef,
                          .blas = "/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3 (OpenBLAS 0.3.29)",
                          .threads = 2,
                          .compiler = "g++ 14.2.0",
                          .library = "/usr/lib/libtorch_cpu.so"},
          .machine = {{"torchbook", "1.1.0"}, {"settings", "OMP_NUM_THREADS=2"}},
          .blas = {.file = "/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3",
                   .vendor = "OpenBLAS",
                   .version = "OpenBLAS 0.3.29"},
          .matmul = {.blas = "", .gflops = 150},
          .compiled_against = "LibTorch 2.6.0",
          .best_capability = "AVX512",
          .cores = 2};
}

Examination on_reference_blas() {
  Examination seen = healthy();
  seen.blas = {.file = "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.12.0"};
  seen.default_blas = seen.blas.file;
  seen.matmul.gflops = 2.04;
  return seen;
}

/// Returns the only warning.
Warning warning_of(const Examination& seen) {
  const auto found = warnings(seen);
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? Warning{} : found[0];
}

TEST(Doctor, OfAHealthyMachineHasNoWarning) {
  EXPECT_TRUE(warnings(healthy()).empty());
  EXPECT_EQ(doctor_text(healthy()),
            "torch           LibTorch 2.6.0\n"
            "build           GCC 14.2\n"
            "cpu_capability  AVX512\n"
            "onednn          AVX512_CORE_AMX\n"
            "blas            /usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3 (OpenBLAS 0.3.29)\n"
            "threads         2\n"
            "compiler        g++ 14.2.0\n"
            "library         /usr/lib/libtorch_cpu.so\n"
            "torchbook       1.1.0\n"
            "settings        OMP_NUM_THREADS=2\n"
            "matmul          150.0 GFLOP/s (float32, 512x512)\n");
}

TEST(Doctor, ReferenceBlasWithoutOpenblas) {
  const auto warning = warning_of(on_reference_blas());
  EXPECT_EQ(warning.about, "blas");
  EXPECT_EQ(warning.text,
            "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.12.0 is the reference BLAS: 2.0 GFLOP/s (float32, "
            "512x512)");
  EXPECT_EQ(warning.mend, "install OpenBLAS; Debian's package is libopenblas0-pthread");
}

TEST(Doctor, ReferenceBlasBesideOpenblas) {
  auto seen = on_reference_blas();
  seen.openblas = {.blas = "OpenBLAS 0.3.29", .gflops = 102};
  const auto warning = warning_of(seen);
  EXPECT_EQ(warning.text,
            "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.12.0 is the reference BLAS: 2.0 GFLOP/s, 50.0 times "
            "less than the 102.0 of OpenBLAS (float32, 512x512)");
  EXPECT_EQ(warning.mend,
            "choose the installed OpenBLAS: update-alternatives --config libblas.so.3-x86_64-linux-gnu");
}

TEST(Doctor, ReferenceBlasByTheEnvironment) {
  auto seen = on_reference_blas();
  seen.default_blas = "/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3";
  EXPECT_EQ(warning_of(seen).mend,
            "remove what overrides the system's choice, "
            "/usr/lib/x86_64-linux-gnu/openblas-pthread/libblas.so.3, from LD_LIBRARY_PATH or LD_PRELOAD");
}

TEST(Doctor, OpenblasWithKernelsOfAnOldProcessor) {
  auto seen = healthy();
  seen.openblas_core = "SkylakeX";
  seen.gflops_with_core = 300;
  const auto warning = warning_of(seen);
  EXPECT_EQ(warning.text,
            "OpenBLAS takes this AVX512 processor for an old one (OpenBLAS 0.3.29): 150.0 GFLOP/s, 2.0 times "
            "less than the 300.0 of its SkylakeX kernels (float32, 512x512)");
  EXPECT_EQ(warning.mend, "set OPENBLAS_CORETYPE=SkylakeX, or install a newer OpenBLAS");
}

TEST(Doctor, OpenblasThatIsForced) {
  auto seen = healthy();
  seen.blas.version = "OpenBLAS 0.3.29 DYNAMIC_ARCH Prescott MAX_THREADS=64";
  seen.asked_core = "prescott";
  seen.openblas_core = "SkylakeX";
  seen.gflops_with_core = 300;
  EXPECT_EQ(
      warning_of(seen).text,
      "OPENBLAS_CORETYPE=prescott forces kernels of an old processor on this AVX512 one: 150.0 GFLOP/s, 2.0 "
      "times less than the 300.0 of its SkylakeX kernels (float32, 512x512)");
  EXPECT_EQ(warning_of(seen).mend, "unset OPENBLAS_CORETYPE, or set it to SkylakeX");
  seen.openblas_core.clear();
  EXPECT_TRUE(warnings(seen).empty());
  seen.asked_core = "Foo";
  EXPECT_EQ(
      warning_of(seen).text,
      "OPENBLAS_CORETYPE=Foo names no kernels that OpenBLAS can run here; it runs its Prescott kernels");
}

TEST(Doctor, UnknownBlas) {
  auto seen = healthy();
  seen.blas = {.file = "/tmp/spoiled.so"};
  EXPECT_EQ(warning_of(seen).text, "/tmp/spoiled.so is an unknown BLAS: 150.0 GFLOP/s (float32, 512x512)");
  EXPECT_EQ(warning_of(seen).mend, "if you did not ask for it, look at LD_PRELOAD and LD_LIBRARY_PATH");
}

TEST(Doctor, CapabilityIsWarnedOfOnlyWhereTheEnvironmentLowersIt) {
  auto seen = healthy();
  seen.fingerprint.cpu_capability = "AVX2";
  EXPECT_TRUE(warnings(seen).empty());  // LibTorch 1.13 itself chooses this
  seen.asked_capability = "avx2";
  const auto warning = warning_of(seen);
  EXPECT_EQ(warning.about, "cpu_capability");
  EXPECT_EQ(warning.text,
            "ATEN_CPU_CAPABILITY=avx2 limits LibTorch to its AVX2 kernels, but this processor has AVX512");
  seen.best_capability = "AVX2";
  EXPECT_TRUE(warnings(seen).empty());
  for (const std::string word : {"sse4", "AVX2"}) {
    seen.asked_capability = word;
    EXPECT_EQ(warning_of(seen).text, "LibTorch ignores ATEN_CPU_CAPABILITY=" + word +
                                         ", which names none of its kernels; it runs its AVX2 kernels");
  }
}

TEST(Doctor, OneThreadWhereThereAreMoreCores) {
  auto seen = healthy();
  seen.fingerprint.threads = 1;
  EXPECT_EQ(
      warning_of(seen).text,
      "1 thread, though this process may use 2 cores (LibTorch's own choice; OMP_NUM_THREADS is not set)");
  seen.asked_threads = "1";
  EXPECT_EQ(warning_of(seen).text, "1 thread, though this process may use 2 cores (OMP_NUM_THREADS is 1)");
  EXPECT_EQ(warning_of(seen).mend, "set OMP_NUM_THREADS=2");
  seen.cores = 1;
  EXPECT_TRUE(warnings(seen).empty());
}

TEST(Doctor, AnotherLibTorchThanCompiledAgainst) {
  auto seen = healthy();
  seen.compiled_against = "LibTorch 2.5.1";
  EXPECT_EQ(warning_of(seen).text,
            "LibTorch 2.6.0 is loaded, but torchbook was compiled against LibTorch 2.5.1");
}

TEST(Doctor, JsonHoldsTheSame) {
  auto seen = on_reference_blas();
  seen.openblas = {.blas = "OpenBLAS 0.3.29", .gflops = 102};
  const auto report = nlohmann::json::parse(doctor_json(seen));
  EXPECT_EQ(report["fingerprint"]["torch"], "LibTorch 2.6.0");
  EXPECT_EQ(report["fingerprint"]["threads"], 2);
  EXPECT_EQ(
      report["matmul"],
      (nlohmann::json{
          {"size", 512}, {"gflops", 2.04}, {"openblas", {{"blas", "OpenBLAS 0.3.29"}, {"gflops", 102.0}}}}));
  ASSERT_EQ(report["warnings"].size(), 1U);
  EXPECT_EQ(report["warnings"][0]["about"], "blas");
  EXPECT_EQ(nlohmann::json::parse(doctor_json(healthy()))["matmul"]["openblas"], nullptr);
}

}  // namespace
}  // namespace torchbook::cli
