// Turns a reader into a fuzzer: what it refuses, it refuses by a TextError of one line.
#pragma once

#include <torchbook/notebook/cells/text_error.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace torchbook::fuzz {

/// Calls `read` with the bytes that the fuzzer made. Any other exception than TextError ends the program.
template <class Read>
int read_or_refuse(const std::uint8_t* data, std::size_t size, const Read& read) {
  try {
    read(std::string_view(reinterpret_cast<const char*>(data), size));
  } catch (const notebook::TextError& error) {
    const std::string_view what = error.what();
    if (what.empty() || what.find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}

}  // namespace torchbook::fuzz

/// Defines the fuzzer of a file: `TORCHBOOK_FUZZ(text) { parse_golden(text); }`
#define TORCHBOOK_FUZZ(text)                                                          \
  static void fuzzed_reader(std::string_view text);                                   \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    return torchbook::fuzz::read_or_refuse(data, size, fuzzed_reader);                \
  }                                                                                   \
  static void fuzzed_reader(std::string_view text)
