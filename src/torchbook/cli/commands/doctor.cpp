// Examines this process and this machine. The rules are separate from the examination, so that they can be
// tested.
#include <fmt/format.h>
#include <sched.h>
#include <torch/version.h>
#include <torchbook/cli/commands/commands.h>
#include <torchbook/cli/commands/doctor.h>
#include <torchbook/cli/shared/options.h>
#include <torchbook/cli/shared/reports.h>
#include <torchbook/cli/system/child.h>
#include <torchbook/cli/system/exit.h>
#include <torchbook/cli/system/files.h>
#include <torchbook/cli/system/machine.h>
#include <torchbook/golden/json_text.h>
#include <torchbook/notebook/kernels.h>
#include <torchbook/report/programs/json.h>
#include <torchbook/report/words.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>

namespace torchbook::cli {
namespace {

constexpr std::chrono::seconds longest_measurement{60};

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

/// Returns the number of cores that the scheduler may give to this process. Two hardware threads of a core
/// count once.
int usable_cores() {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) return 1;
  std::set<std::string> cores;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &usable)) continue;
    std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu));
    std::string core;
    cores.insert(std::getline(file, core) ? core : std::to_string(cpu));
  }
  return static_cast<int>(cores.size());
}

/// Returns the libblas.so.3 that the loader uses by default. Debian's alternative is next to the
/// folders of the BLAS packages.
std::string default_blas(const notebook::Blas& blas) {
  std::error_code none;
  const auto folder = std::filesystem::path(blas.file).parent_path().parent_path();
  const auto file = std::filesystem::canonical(folder / "libblas.so.3", none);
  return none ? "" : file.string();
}

/// Returns the speed of this program in a new process in which OPENBLAS_CORETYPE selects the
/// kernels. Returns nullopt if that fails, because the doctor goes on without it.
std::optional<double> matmul_with_core(const std::string& core) try {
  const auto ended = run_again({"OPENBLAS_CORETYPE=" + core}, {"doctor", "--format", "json"},
                               longest_measurement, [](auto) {});
  if (ended.timed_out || ended.code != 0) return std::nullopt;
  const auto report = nlohmann::json::parse(ended.answer, nullptr, false);
  const nlohmann::json::json_pointer gflops("/matmul/gflops");
  return report.contains(gflops) ? std::optional<double>(report[gflops].get<double>()) : std::nullopt;
} catch (const std::exception&) {
  return std::nullopt;
}

/// Returns `float32, 512x512`.
std::string measured_product() { return fmt::format("float32, {0}x{0}", notebook::matmul_size); }

std::string slowdown(const Examination& seen) {
  if (!seen.openblas) return fmt::format("{:.1f} GFLOP/s", seen.matmul.gflops);
  return fmt::format("{0:.1f} GFLOP/s, {2:.1f} times less than the {1:.1f} of OpenBLAS", seen.matmul.gflops,
                     seen.openblas->gflops, seen.openblas->gflops / seen.matmul.gflops);
}

std::string mended_blas(const Examination& seen) {
  if (!seen.default_blas.empty() && seen.default_blas != seen.blas.file) {
    return fmt::format("remove what overrides the system's choice, {}, from LD_LIBRARY_PATH or LD_PRELOAD",
                       seen.default_blas);
  }
  if (!seen.openblas) return "install OpenBLAS; Debian's package is libopenblas0-pthread";
  const auto triplet = std::filesystem::path(seen.blas.file).parent_path().parent_path().filename().string();
  return fmt::format("choose the installed OpenBLAS: update-alternatives --config libblas.so.3-{}", triplet);
}

Warning reference_blas(const Examination& seen) {
  return {
      "blas",
      fmt::format("{} is the reference BLAS: {} ({})", seen.blas.file, slowdown(seen), measured_product()),
      mended_blas(seen)};
}

Warning unknown_blas(const Examination& seen) {
  return {"blas",
          fmt::format("{} is an unknown BLAS: {} ({})", seen.blas.file, slowdown(seen), measured_product()),
          "if you did not ask for it, look at LD_PRELOAD and LD_LIBRARY_PATH"};
}

/// OPENBLAS_CORETYPE has a value that OpenBLAS does not know, so it chose itself.
Warning unknown_core(const Examination& seen) {
  return {
      "blas",
      fmt::format("OPENBLAS_CORETYPE={} names no kernels that OpenBLAS can run here; it runs its {} kernels",
                  seen.asked_core, notebook::openblas_core(seen.blas.version)),
      "unset OPENBLAS_CORETYPE, or name a core that OpenBLAS has for this processor"};
}

Warning old_kernels(const Examination& seen) {
  const std::string measured =
      !seen.gflops_with_core
          ? ""
          : fmt::format(": {0:.1f} GFLOP/s, {3:.1f} times less than the {2:.1f} of its {1} kernels ({4})",
                        seen.matmul.gflops, seen.openblas_core, *seen.gflops_with_core,
                        *seen.gflops_with_core / seen.matmul.gflops, measured_product());
  if (!seen.asked_core.empty()) {
    return {"blas",
            fmt::format("OPENBLAS_CORETYPE={} forces kernels of an old processor on this {} one{}",
                        seen.asked_core, seen.best_capability, measured),
            "unset OPENBLAS_CORETYPE, or set it to " + seen.openblas_core};
  }
  return {"blas",
          fmt::format("OpenBLAS takes this {} processor for an old one ({}){}", seen.best_capability,
                      seen.blas.version, measured),
          fmt::format("set OPENBLAS_CORETYPE={}, or install a newer OpenBLAS", seen.openblas_core)};
}

Warning few_threads(const Examination& seen) {
  const std::string why = seen.asked_threads ? fmt::format("OMP_NUM_THREADS is {}", *seen.asked_threads)
                                             : "LibTorch's own choice; OMP_NUM_THREADS is not set";
  return {"threads", fmt::format("1 thread, though this process may use {} cores ({})", seen.cores, why),
          fmt::format("set OMP_NUM_THREADS={}", seen.cores)};
}

golden::Json speed_json(const notebook::MatmulSpeed& speed) {
  return {{"blas", speed.blas}, {"gflops", speed.gflops}};
}

}  // namespace

Examination examine() {
  Examination seen{.fingerprint = notebook::fingerprint(),
                   .machine = this_machine(),
                   .blas = notebook::loaded_blas(),
                   .matmul = notebook::measured_matmul(),
                   .compiled_against = fmt::format("LibTorch {}", TORCH_VERSION),
                   .asked_core = environment("OPENBLAS_CORETYPE").value_or(""),
                   .asked_capability = environment("ATEN_CPU_CAPABILITY").value_or(""),
                   .best_capability = notebook::best_capability(),
                   .asked_threads = environment("OMP_NUM_THREADS"),
                   .cores = usable_cores()};
  if (seen.blas.is_reference()) seen.default_blas = default_blas(seen.blas);
  if (seen.blas.is_reference() || seen.blas.is_unknown()) {
    seen.openblas = notebook::measured_openblas();
  } else if (seen.blas.vendor == "OpenBLAS") {
    seen.openblas_core = notebook::better_openblas_core(seen.blas.version, seen.best_capability);
    if (!seen.openblas_core.empty()) seen.gflops_with_core = matmul_with_core(seen.openblas_core);
  }
  return seen;
}

/// ATEN_CPU_CAPABILITY has a value that LibTorch does not know, so it chose itself.
static Warning unknown_capability(const Examination& seen) {
  return {
      "cpu_capability",
      fmt::format(
          "LibTorch ignores ATEN_CPU_CAPABILITY={}, which names none of its kernels; it runs its {} kernels",
          seen.asked_capability, seen.fingerprint.cpu_capability),
      "unset ATEN_CPU_CAPABILITY, or set it to default, avx2 or avx512"};
}

static Warning low_capability(const Examination& seen) {
  return {"cpu_capability",
          fmt::format("ATEN_CPU_CAPABILITY={} limits LibTorch to its {} kernels, but this processor has {}",
                      seen.asked_capability, seen.fingerprint.cpu_capability, seen.best_capability),
          "unset ATEN_CPU_CAPABILITY, so that LibTorch chooses its kernels itself"};
}

std::vector<Warning> warnings(const Examination& seen) {
  std::vector<Warning> found;
  const auto& here = seen.fingerprint;
  if (here.torch != seen.compiled_against) {
    found.push_back({"torch",
                     fmt::format("{} is loaded, but torchbook was compiled against {}", here.torch,
                                 seen.compiled_against),
                     "build torchbook again against the LibTorch that it runs with"});
  }
  const auto rank = notebook::capability_rank(here.cpu_capability);  // 0 on other processors than x86-64
  const auto& asked = seen.asked_capability;
  if (!asked.empty() && rank != 0) {
    // LibTorch compares with regard to case.
    const bool known = asked == "default" || asked == "avx2" || asked == "avx512";
    if (!known) found.push_back(unknown_capability(seen));
    if (known && rank < notebook::capability_rank(seen.best_capability))
      found.push_back(low_capability(seen));
  }
  if (seen.blas.is_reference()) found.push_back(reference_blas(seen));
  if (seen.blas.is_unknown()) found.push_back(unknown_blas(seen));
  if (seen.blas.vendor == "OpenBLAS" && !seen.asked_core.empty() &&
      !notebook::same_core(seen.asked_core, notebook::openblas_core(seen.blas.version)))
    found.push_back(unknown_core(seen));
  if (!seen.openblas_core.empty()) found.push_back(old_kernels(seen));
  if (here.threads == 1 && seen.cores > 1) found.push_back(few_threads(seen));
  return found;
}

std::string doctor_text(const Examination& seen) {
  const auto& here = seen.fingerprint;
  std::string text;
  const auto field = [&](std::string_view name, std::string_view value) {
    text += fmt::format("{:<16}{}\n", name, value);
  };
  for (const auto& [name, value] : report::fingerprint_fields(here)) field(name, value);
  for (const auto& [name, value] : seen.machine) field(name, value);
  field("matmul", fmt::format("{:.1f} GFLOP/s ({})", seen.matmul.gflops, measured_product()));
  for (const auto& warning : warnings(seen)) {
    text += fmt::format("\nwarning, {}: {}\n  remedy: {}\n", warning.about, warning.text, warning.mend);
  }
  return text;
}

std::string doctor_json(const Examination& seen) {
  golden::Json found = golden::Json::array();
  for (const auto& warning : warnings(seen)) {
    found.push_back({{"about", warning.about}, {"text", warning.text}, {"mend", warning.mend}});
  }
  golden::Json matmul = {{"size", notebook::matmul_size}, {"gflops", seen.matmul.gflops}};
  matmul["openblas"] = seen.openblas ? speed_json(*seen.openblas) : golden::Json(nullptr);
  const golden::Json report = {{"fingerprint", report::fingerprint_json(seen.fingerprint)},
                               {"machine", std::map(seen.machine.begin(), seen.machine.end())},
                               {"matmul", matmul},
                               {"warnings", std::move(found)}};
  return golden::text_of_json(report, 2);
}

void add_doctor(CLI::App& app, const Program& /*program*/, Work& work) {
  auto output = std::make_shared<Output>();
  auto& command =
      add_command(app, "doctor", "show which libraries compute here, how fast, and what slows them down",
                  "Exit codes: 0 done, also with warnings, 2 wrong usage or unwritable output.");
  add_output_options(command, *output);
  command.callback([output, &work] {
    work = [output] {
      const Examination seen = examine();
      write_report(output->format == Format::json ? doctor_json(seen) : doctor_text(seen), output->file);
      return exit_equal;
    };
  });
}

}  // namespace torchbook::cli
