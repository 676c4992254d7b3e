// Defines words that reports share.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace torchbook::report {

/// Returns `1 cell` or `2 cells`.
inline std::string counted(std::uint64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

/// Returns whether a character moves a cursor or rings a bell instead of being seen.
constexpr bool is_control(std::uint32_t code) { return code < 0x20 || code == 0x7F; }

/// Returns the picture of a control character in UTF-8, such as ␛.
inline std::string control_picture(std::uint32_t code) {
  return {'\xE2', '\x90', static_cast<char>(code == 0x7F ? 0xA1 : 0x80 + code)};
}

}  // namespace torchbook::report
