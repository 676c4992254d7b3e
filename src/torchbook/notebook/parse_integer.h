// Reads numbers in texts.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace torchbook::notebook {

/// Parses a text that is a decimal number. Returns nullopt if it is anything else or does not fit.
template <class Integer>
std::optional<Integer> parse_integer(std::string_view text) {
  Integer value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && rest == end ? std::optional(value) : std::nullopt;
}

}  // namespace torchbook::notebook
