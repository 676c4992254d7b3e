// Tests the fingerprint against the system and the configurations of real builds.
#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <torchbook/notebook/blas.h>
#include <torchbook/notebook/fingerprint.h>

#include <fstream>
#include <set>

namespace torchbook::notebook {
namespace {

// The configurations of Debian's 1.13.1 and 2.6.0, without some of their warning options.
constexpr const char* config_1_13 =
    "PyTorch built with:\n"
    "  - GCC 12.2\n"
    "  - C++ Version: 201402\n"
    "  - Intel(R) MKL-DNN v2.6.3 (Git Hash N/A)\n"
    "  - CPU capability usage: AVX2\n"
    "  - Build settings: BLAS_INFO=generic, CXX_FLAGS=-Wdate-time -g -O2 -Wl,-z,now -Wall -Werror=format, "
    "LAPACK_INFO=generic, TORCH_VERSION=1.13.0, USE_ROCM=OFF, \n";
constexpr const char* config_of_pip =
    "PyTorch built with:\n"
    "  - GCC 9.3\n"
    "  - Intel(R) oneAPI Math Kernel Library Version 2024.2-Product Build 20240605 for Intel(R) 64\n"
    "  - CPU capability usage: NO AVX\n"
    "  - Build settings: BLAS_INFO=mkl, COMMIT_SHA=2236df1, CXX_FLAGS= -O2 -fdiagnostics-color=always, "
    "TORCH_VERSION=2.6.0, \n";

/// Returns the files that the kernel has mapped into this process.
std::set<std::string> mapped_files() {
  std::ifstream maps("/proc/self/maps");
  std::set<std::string> files;
  for (std::string line; std::getline(maps, line);) {
    if (const auto path = line.find('/'); path != line.npos) files.insert(line.substr(path));
  }
  return files;
}

TEST(Fingerprint, NamesAMappedFileAsBlas) {
  const auto files = mapped_files();
  ASSERT_GT(files.size(), 10U);
  const Blas blas = loaded_blas();
  EXPECT_TRUE(files.contains(blas.file)) << blas.file;
  EXPECT_EQ(fingerprint().blas, blas.text());
}

TEST(Fingerprint, HasOpenblassOwnWords) {
  const auto config = reinterpret_cast<char* (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_config"));
  if (config == nullptr) GTEST_SKIP() << "NOT TESTED: this LibTorch uses another BLAS";
  EXPECT_EQ(loaded_blas().vendor, "OpenBLAS");
  EXPECT_EQ(loaded_blas().version, config());
}

TEST(Fingerprint, NamesTheMappedFileOfLibTorch) {
  const auto library = fingerprint().library;
  EXPECT_TRUE(mapped_files().contains(library)) << library;
  EXPECT_NE(library.find("libtorch"), library.npos) << library;
}

TEST(Fingerprint, ThreadsAreThoseThatAnOperationMayUse) {
  const int before = at::get_num_threads();
  for (const int threads : {1, 2}) {
    at::set_num_threads(threads);
    EXPECT_EQ(fingerprint().threads, threads);
  }
  at::set_num_threads(before);
}

TEST(Fingerprint, EveryFieldIsOneLine) {
  const Fingerprint here = fingerprint();
  for (const auto& field : {here.torch, here.build, here.cpu_capability, here.blas, here.compiler}) {
    EXPECT_NE(field, "");
    EXPECT_EQ(field.find('\n'), field.npos) << field;
  }
}

TEST(CondensedConfig, KeepsWhatTellsBuildsApart) {
  EXPECT_EQ(condensed_config(config_1_13),
            "GCC 12.2; C++ Version: 201402; Intel(R) MKL-DNN v2.6.3 (Git Hash N/A); Build settings: "
            "BLAS_INFO=generic, CXX_FLAGS=-Wdate-time -g -O2 -Wl,-z,now, LAPACK_INFO=generic, "
            "TORCH_VERSION=1.13.0, USE_ROCM=OFF");
  EXPECT_EQ(
      condensed_config(config_of_pip),
      "GCC 9.3; Intel(R) oneAPI Math Kernel Library Version 2024.2-Product Build 20240605 for Intel(R) 64; "
      "Build settings: BLAS_INFO=mkl, COMMIT_SHA=2236df1, CXX_FLAGS= -O2, TORCH_VERSION=2.6.0");
}

TEST(CondensedConfig, LeavesOutWhatOnlyTheCompilersMessagesDependOn) {
  EXPECT_EQ(condensed_config("x\n  - S: CXX_FLAGS=-O2 -W -Wa,-x -Wp,-D -Wxy, A=1\n"),
            "S: CXX_FLAGS=-O2 -Wa,-x -Wp,-D, A=1");
}

TEST(CondensedConfig, OfNothingIsNothing) {
  EXPECT_EQ(condensed_config(""), "");
  EXPECT_EQ(condensed_config("PyTorch built with:\n"), "");
}

TEST(Capability, IsWhatTheConfigurationNames) {
  EXPECT_EQ(capability_in(config_1_13), "AVX2");
  EXPECT_EQ(capability_in(config_of_pip), "DEFAULT");
  EXPECT_EQ(capability_in("  - CPU capability usage: AVX512\n"), "AVX512");
  EXPECT_EQ(capability_in(""), "");
}

TEST(Blas, IsReferenceWhereNothingTellsAVendor) {
  EXPECT_TRUE((Blas{.file = "/usr/lib/x86_64-linux-gnu/blas/libblas.so.3.12.0"}).is_reference());
  EXPECT_FALSE((Blas{.file = "/usr/lib/libtorch_cpu.so", .built_in = true}).is_reference());
  EXPECT_FALSE((Blas{.file = "/tmp/spoiled.so"}).is_reference());
  EXPECT_TRUE((Blas{.file = "/tmp/spoiled.so"}).is_unknown());
  EXPECT_FALSE((Blas{.file = "/usr/lib/libtorch_cpu.so", .built_in = true}).is_unknown());
  EXPECT_FALSE((Blas{.file = "/usr/lib/libblas.so.3", .vendor = "OpenBLAS"}).is_reference());
}

/// More than any processor reaches. Other work on the machine only slows the product down.
constexpr double impossible_gflops = 1e5;

TEST(Blas, IsMeasured) {
  const auto measured = measured_matmul();
  EXPECT_EQ(measured.blas, loaded_blas().text());
  EXPECT_GT(measured.gflops, 0);
  EXPECT_LT(measured.gflops, impossible_gflops);
}

TEST(Blas, AnInstalledOpenblasIsMeasured) {
  const auto measured = measured_openblas();
  if (dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_LOCAL) == nullptr) {
    EXPECT_FALSE(measured);
    return;
  }
  ASSERT_TRUE(measured);
  EXPECT_TRUE(measured->blas.starts_with("OpenBLAS ")) << measured->blas;
  EXPECT_GT(measured->gflops, 0);
  EXPECT_LT(measured->gflops, impossible_gflops);
}

TEST(Blas, TextIsFileAndVersion) {
  EXPECT_EQ((Blas{.file = "/a/libblas.so.3"}).text(), "/a/libblas.so.3");
  EXPECT_EQ((Blas{.file = "/a/b.so", .vendor = "OpenBLAS", .version = "OpenBLAS 0.3.21"}).text(),
            "/a/b.so (OpenBLAS 0.3.21)");
  EXPECT_EQ(
      (Blas{.file = "/a/libtorch_cpu.so", .built_in = true, .vendor = "MKL", .version = "oneMKL"}).text(),
      "built into /a/libtorch_cpu.so (oneMKL)");
}

}  // namespace
}  // namespace torchbook::notebook
