// Finds the library that defines the BLAS functions that LibTorch calls, through the dynamic
// linker.
#include <ATen/EmptyTensor.h>
#include <ATen/Version.h>
#include <ATen/core/Tensor.h>
#include <dlfcn.h>
#include <torchbook/notebook/blas.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <vector>

namespace torchbook::notebook {
namespace {

struct Close {
  void operator()(void* handle) const { dlclose(handle); }
};
using Library = std::unique_ptr<void, Close>;

Library library(const char* file, int flags) { return Library(dlopen(file, flags)); }

/// Returns the file that contains an address, as the linker names it, or an empty string.
std::string file_of(const void* address) {
  Dl_info info{};
  return address != nullptr && dladdr(address, &info) != 0 ? info.dli_fname : "";
}

std::string resolved(const std::string& file) {
  std::error_code gone;  // the file was deleted after it was loaded
  const auto path = std::filesystem::canonical(file, gone);
  return gone ? file : path.string();
}

struct Vendor {
  const char* name;
  const char* in_path;  // a part of the name of the file or of its folder
  const char* symbol;   // a symbol that only this library, or one that it links, defines
};

// Debian's libblas.so.3 of BLIS hides its own symbols, so only the folder identifies it.
constexpr Vendor vendors[] = {
    {"OpenBLAS", "openblas", "openblas_get_config"},
    {"MKL", "mkl", "mkl_get_version_string"},
    {"BLIS", "blis", "bli_info_get_version_str"},
    {"ATLAS", "atlas", "ATL_buildinfo"},
    {"FlexiBLAS", "flexiblas", "flexiblas_chain_"},
    {"NVPL", "nvpl", "nvpl_blas_get_version"},
    {"Arm PL", "armpl", "armplversion"},
};

std::string vendor_of(const std::string& file, void* handle) {
  const std::filesystem::path path(file);
  const std::string names = path.parent_path().filename().string() + '/' + path.filename().string();
  for (const auto& vendor : vendors) {
    if (names.find(vendor.in_path) != names.npos) return vendor.name;
    if (handle != nullptr && dlsym(handle, vendor.symbol) != nullptr) return vendor.name;
  }
  return "";
}

/// Returns OpenBLAS's description of itself, `OpenBLAS 0.3.21 … SkylakeX MAX_THREADS=64`, or an
/// empty string for another library.
std::string openblas_config(void* handle) {
  if (handle == nullptr) return "";
  const auto config = reinterpret_cast<char* (*)()>(dlsym(handle, "openblas_get_config"));
  return config != nullptr ? config() : "";
}

/// Returns LibTorch's words on the MKL that it calls, or an empty string if it calls another library.
std::string mkl_of_torch() {
  const std::string config = at::show_config();
  if (config.find("BLAS_INFO=mkl") == config.npos) return "";
  const auto name = config.find("Math Kernel Library");
  if (name == config.npos) return "MKL";
  const auto start = config.rfind("- ", name) + 2;
  return config.substr(start, config.find('\n', name) - start);
}

/// Runs `multiply` for half a second, at least three times. Returns the rate of the fastest run: on a busy
/// machine, few runs have the processor for themselves.
template <class Multiply>
double gflops(const Multiply& multiply) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](Clock::duration time) { return std::chrono::duration<double>(time).count(); };
  multiply();  // starts threads and maps pages
  double best = 1e9;
  const auto begin = Clock::now();
  for (int runs = 0; runs < 3 || seconds(Clock::now() - begin) < 0.5; ++runs) {
    const auto start = Clock::now();
    multiply();
    best = std::min(best, seconds(Clock::now() - start));
  }
  constexpr double n = matmul_size;
  return 2 * n * n * n / best / 1e9;
}

}  // namespace

bool Blas::is_reference() const {
  const auto name = file.substr(file.rfind('/') + 1);
  return !built_in && vendor.empty() && (name.starts_with("libblas.so") || name.starts_with("librefblas"));
}

std::string Blas::text() const {
  const std::string place = built_in ? "built into " + file : file;
  return version.empty() ? place : place + " (" + version + ")";
}

std::string library_with(const void* address) { return resolved(file_of(address)); }

Blas loaded_blas() {
  const std::string torch = file_of(reinterpret_cast<const void*>(&at::show_config));
  // The linker binds LibTorch's call to the first definition in all loaded libraries.
  const std::string found = file_of(dlsym(RTLD_DEFAULT, "sgemm_"));
  Blas blas;
  const std::string mkl = mkl_of_torch();
  blas.built_in = found.empty() || found == torch || (!mkl.empty() && found.find("mkl") == found.npos);
  const std::string name = blas.built_in ? torch : found;
  blas.file = resolved(name);
  const Library handle = library(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (!mkl.empty()) {
    blas.vendor = "MKL";
    blas.version = mkl;
  } else if (!blas.built_in) {
    blas.vendor = vendor_of(blas.file, handle.get());
    blas.version = openblas_config(handle.get());
  }
  return blas;
}

MatmulSpeed measured_matmul() {
  // at::ones would need headers that clang-tidy 14 cannot read.
  const at::Tensor a(at::detail::empty_cpu({matmul_size, matmul_size}, at::kFloat));
  a.fill_(1);
  return {.blas = loaded_blas().text(), .gflops = gflops([&] { a.mm(a); })};
}

std::optional<MatmulSpeed> measured_openblas() {
  using Sgemm = void(const char*, const char*, const int*, const int*, const int*, const float*, const float*,
                     const int*, const float*, const int*, const float*, float*, const int*);
  const Library openblas = library("libopenblas.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!openblas) return std::nullopt;
  const auto sgemm = reinterpret_cast<Sgemm*>(dlsym(openblas.get(), "sgemm_"));
  if (sgemm == nullptr) return std::nullopt;
  const int n = matmul_size;
  const float one = 1;
  const float zero = 0;
  const std::vector<float> a(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 1.0F);
  std::vector<float> c(a.size());
  const auto multiply = [&] {
    sgemm("N", "N", &n, &n, &n, &one, a.data(), &n, a.data(), &n, &zero, c.data(), &n);
  };
  return MatmulSpeed{.blas = openblas_config(openblas.get()), .gflops = gflops(multiply)};
}

}  // namespace torchbook::notebook
