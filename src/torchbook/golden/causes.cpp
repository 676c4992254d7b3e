// C++ and Python write the same fingerprint in different words, so only extracted parts are
// compared.
#include <absl/strings/ascii.h>
#include <fmt/format.h>
#include <torchbook/golden/causes.h>
#include <torchbook/notebook/kernels.h>

#include <algorithm>

namespace torchbook::golden {
namespace {

using notebook::Fingerprint;
using notebook::text_after;

constexpr std::string_view digits = "0123456789";

/// Returns `1.13.0` for `PyTorch 1.13.0a0`: LibTorch does not report the suffix.
std::string_view release(std::string_view torch) {
  const auto start = torch.find_first_of(digits);
  if (start == torch.npos) return torch;
  auto number = torch.substr(start);
  number = number.substr(0, number.find_first_not_of("0123456789."));
  return number;
}

/// What the fingerprints are of, and how texts call them.
struct Sides {
  const Fingerprint& here;
  const Fingerprint& pytorch;
  std::string_view other;  ///< `in PyTorch`

  std::string words(std::string_view ours, std::string_view theirs) const {
    return fmt::format("{} here, {} {}", ours, theirs, other);
  }
};

void add_build(std::vector<Cause>& found, const Sides& sides) {
  for (const std::string_view part : {"GCC ", "MKL-DNN v", "Math Kernel Library Version "}) {
    const auto ours = text_after(sides.here.build, part, " ;,");
    const auto theirs = text_after(sides.pytorch.build, part, " ;,");
    if (ours.empty() || theirs.empty() || ours == theirs) continue;
    found.push_back({"build", "built with " + sides.words(fmt::format("{}{}", part, ours),
                                                          fmt::format("{}{}", part, theirs))});
  }
}

bool can_run(int rank, std::string_view best_capability) {
  return rank != 0 && rank <= std::max(1, notebook::capability_rank(best_capability));
}

void add_capability(std::vector<Cause>& found, const Sides& sides, std::string_view best_capability) {
  const auto& [here, pytorch, other] = sides;
  if (here.cpu_capability == pytorch.cpu_capability) return;
  Cause cause{"cpu_capability", "LibTorch runs its " + sides.words(here.cpu_capability + " kernels",
                                                                   pytorch.cpu_capability + " kernels")};
  if (can_run(notebook::capability_rank(pytorch.cpu_capability), best_capability)) {
    cause.setting = "ATEN_CPU_CAPABILITY=" + absl::AsciiStrToLower(pytorch.cpu_capability);
  } else {
    cause.text += ", which this processor does not have";
  }
  found.push_back(std::move(cause));
}

void add_onednn(std::vector<Cause>& found, const Sides& sides) {
  const auto ours = notebook::onednn_name(sides.here.onednn);
  const auto theirs = notebook::onednn_name(sides.pytorch.onednn);
  if (ours.empty() || theirs.empty() || ours == theirs) return;
  found.push_back(
      {"onednn",
       "oneDNN runs its " + sides.words(fmt::format("{} kernels", ours), fmt::format("{} kernels", theirs)),
       fmt::format("ONEDNN_MAX_CPU_ISA={}", theirs)});
}

bool has_mkl(const Fingerprint& one) { return one.build.find("BLAS_INFO=mkl") != one.build.npos; }

/// Returns the name of the BLAS library, for messages.
std::string blas_name(const Fingerprint& one) {
  if (has_mkl(one)) return "MKL";
  if (!notebook::openblas_words(one.blas).empty()) return "OpenBLAS";
  if (one.blas.starts_with("built into ")) return "a BLAS of its own";
  return one.blas.substr(0, std::min(one.blas.find(", "), one.blas.find(" (")));
}

/// Returns whether both use the same BLAS library. Python lists every file that may be a BLAS, so
/// ours may be any entry of its list.
bool same_library(const Fingerprint& here, const Fingerprint& pytorch) {
  const auto ours = blas_name(here);
  return ours == blas_name(pytorch) || (!has_mkl(pytorch) && pytorch.blas.find(ours) != pytorch.blas.npos);
}

void add_kernels(std::vector<Cause>& found, const Sides& sides, std::string_view best_capability) {
  const auto ours = notebook::openblas_words(sides.here.blas);
  const auto theirs = notebook::openblas_words(sides.pytorch.blas);
  const auto here = notebook::openblas_core(ours);
  const auto core = notebook::openblas_core(theirs);
  if (here == core) return;
  Cause cause{"blas", "OpenBLAS runs its " + sides.words(here + " kernels", core + " kernels")};
  if (!notebook::better_openblas_core(ours, best_capability).empty()) {
    cause.text += fmt::format("; this processor is newer than a {}", here);
  }
  const bool chooses = ours.find("DYNAMIC_ARCH") != ours.npos;
  if (chooses && can_run(notebook::rank_for_core(core), best_capability)) {
    cause.setting = "OPENBLAS_CORETYPE=" + core;
  }
  found.push_back(std::move(cause));
}

void add_blas(std::vector<Cause>& found, const Sides& sides, std::string_view best_capability) {
  const auto& [here, pytorch, other] = sides;
  if (!same_library(here, pytorch)) {
    found.push_back({"blas", sides.words(blas_name(here), blas_name(pytorch))});
    return;
  }
  const auto ours = notebook::openblas_words(here.blas);
  const auto theirs = notebook::openblas_words(pytorch.blas);
  if (has_mkl(here) || ours.empty() || theirs.empty()) return;
  if (release(ours) != release(theirs)) {
    found.push_back({"blas", "OpenBLAS " + sides.words(release(ours), release(theirs))});
  }
  add_kernels(found, sides, best_capability);
}

}  // namespace

std::vector<Cause> causes(const Fingerprint& here, const Fingerprint& pytorch,
                          std::string_view best_capability, std::string_view other) {
  const Sides sides{here, pytorch, other};
  std::vector<Cause> found;
  if (release(here.torch) != release(pytorch.torch)) {
    found.push_back({"torch", "release " + sides.words(release(here.torch), release(pytorch.torch))});
  }
  add_build(found, sides);
  add_capability(found, sides, best_capability);
  add_onednn(found, sides);
  add_blas(found, sides, best_capability);
  if (here.threads != pytorch.threads) {
    found.push_back({"threads",
                     "threads of an operation: " +
                         sides.words(std::to_string(here.threads), std::to_string(pytorch.threads)),
                     fmt::format("OMP_NUM_THREADS={}", pytorch.threads)});
  }
  return found;
}

bool values_differ(const JudgedTranscript& judged, Accept accept) {
  return std::any_of(judged.judgements.begin(), judged.judgements.end(), [&](const auto& one) {
    const Judgement& judgement = one.second;
    return !passes(judgement, accept) &&
           std::any_of(judgement.elements.begin(), judgement.elements.end(),
                       [](const ElementDifference& element) { return !element.values.mismatch; });
  });
}

}  // namespace torchbook::golden
