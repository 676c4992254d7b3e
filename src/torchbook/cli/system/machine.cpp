// Asks the system what it is.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gnu/libc-version.h>
#include <sys/utsname.h>
#include <torchbook/cli/system/machine.h>
#include <torchbook/pyrepr/version.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <string_view>

namespace torchbook::cli {
namespace {

/// Variables that choose kernels, threads or libraries.
constexpr std::array settings{"ATEN_CPU_CAPABILITY", "LD_LIBRARY_PATH",     "LD_PRELOAD",
                              "MKL_NUM_THREADS",     "OMP_NUM_THREADS",     "ONEDNN_MAX_CPU_ISA",
                              "OPENBLAS_CORETYPE",   "OPENBLAS_NUM_THREADS"};

/// Returns what follows `name` and the separator in the first line of a file that begins with the name,
/// without quotes.
std::string value_in(const char* file, std::string_view name, char separator) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find(separator);
    if (at == std::string::npos || !line.starts_with(name)) continue;
    const auto first = line.find_first_not_of(" \"", at + 1);
    return first == std::string::npos ? "" : line.substr(first, line.find_last_not_of('"') + 1 - first);
  }
  return "";
}

std::string system_text() {
  utsname kernel{};
  uname(&kernel);
  return fmt::format("{}; {} {} {}; glibc {}", value_in("/etc/os-release", "PRETTY_NAME", '='),
                     kernel.sysname, kernel.release, kernel.machine, gnu_get_libc_version());
}

}  // namespace

std::vector<std::pair<std::string, std::string>> this_machine() {
  std::vector<std::pair<std::string, std::string>> fields{
      {"torchbook", TORCHBOOK_PYREPR_VERSION},
      {"libraries",
       fmt::format("fmt {}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"system", system_text()}};
  // Processors other than x86-64 have no name there, but the numbers of what they can do.
  for (const char* const name : {"model name", "CPU part"}) {
    auto processor = value_in("/proc/cpuinfo", name, ':');
    if (processor.empty()) continue;
    fields.emplace_back("processor", std::move(processor));
    break;
  }
  std::vector<std::string> set;
  for (const char* const name : settings) {
    if (const char* const value = std::getenv(name)) set.push_back(fmt::format("{}={}", name, value));
  }
  if (!set.empty()) fields.emplace_back("settings", fmt::format("{}", fmt::join(set, " ")));
  return fields;
}

}  // namespace torchbook::cli
