// Reads any bytes as a notebook, for a fuzzer that clang links:
//
//   clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -DFUZZED_FILE='"nb.ipynb"' -Isrc -Itests
//     tests/importing/{fuzz,notebooks}.cpp src/torchbook/{importing,golden,notebook/cells}/*.cpp …
//
// FUZZED_FILE names the kind of notebook: "nb.ipynb" or "nb.txt". What is read must be read back by the
// build.
#include <importing/notebooks.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto fault =
        torchbook::test::fault_of(torchbook::importing::read_notebook(text, "nb", FUZZED_FILE));
    if (!fault.empty()) {
      std::fprintf(stderr, "%s\n", fault.c_str());
      std::abort();
    }
  } catch (const torchbook::notebook::TextError&) {
    return 0;
  }
  return 0;
}
