// Reads and shortens LibTorch's description of itself.
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <dlfcn.h>
#include <torchbook/notebook/blas.h>
#include <torchbook/notebook/fingerprint.h>
#include <torchbook/notebook/kernels.h>
#include <torchbook/notebook/lines.h>

#include <sstream>
#include <string_view>

namespace torchbook::notebook {
namespace {

/// Returns whether a compiler's option only affects its messages, as `-Wall` does. `-Wl,…` is for the linker.
bool is_about_messages(std::string_view word) {
  const bool warning = word.starts_with("-W") && word.find(',') != 3;
  return warning || word.starts_with("-fdiagnostics");
}

/// Returns a line of the configuration without the options that cannot affect results.
std::string shortened(std::string_view line) {
  std::string text;
  std::istringstream words{std::string(line)};
  for (std::string word; words >> word;) {
    if (!is_about_messages(word)) {
      if (!text.empty()) text += ' ';
      text += word;
    } else if (word.ends_with(',') && !text.empty() && text.back() != ',') {
      text += ',';  // it was the last word of a setting
    }
  }
  while (text.ends_with(',')) text.pop_back();
  return text;
}

std::string compiler() {
  const auto release = [](int major, int minor, int patch) {
    return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
  };
#ifdef __clang__
  return "clang++ " + release(__clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return "g++ " + release(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

/// Asks oneDNN, which LibTorch may contain or link, for the instruction sets that its kernels use. Returns 0
/// if it cannot be asked.
int onednn_instructions() {
  const auto ask = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "dnnl_get_effective_cpu_isa"));
  return ask == nullptr ? 0 : ask();
}

}  // namespace

std::string condensed_config(std::string_view config) {
  std::string text;
  for (auto line : lines_of(config)) {
    const auto item = line.find("- ");  // the heading and the lines after the list are no items
    if (item == line.npos || line.find_first_not_of(' ') != item) continue;
    line.remove_prefix(item + 2);
    if (line.starts_with("CPU capability usage:")) continue;
    if (!text.empty()) text += "; ";
    text += shortened(line);
  }
  return text;
}

std::string capability_in(std::string_view config) {
  const auto capability = text_after(config, "CPU capability usage: ", "\n");
  return capability == "NO AVX" ? "DEFAULT" : std::string(capability);
}

Fingerprint fingerprint() {
  const std::string config = at::show_config();
  return {.torch = "LibTorch " + std::string(text_after(config, "TORCH_VERSION=", ", \n")),
          .build = condensed_config(config),
          .cpu_capability = capability_in(config),
          .onednn = onednn_instructions(),
          .blas = loaded_blas().text(),
          .threads = at::get_num_threads(),
          .compiler = compiler(),
          .library = library_with(reinterpret_cast<const void*>(&at::show_config))};
}

}  // namespace torchbook::notebook
