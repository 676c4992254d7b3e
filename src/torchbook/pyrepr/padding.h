// Applies a format spec's sign, grouping, fill and width to numbers and texts.
#pragma once

#include <torchbook/pyrepr/format_spec.h>

#include <string>

namespace torchbook::pyrepr::inline v1 {

/// A number in parts. Grouping separates only the digits of `whole`.
struct NumberText {
  bool negative = false;
  std::string prefix{};  ///< `0x`
  std::string whole{};   ///< digits before the point, or `inf`, `nan`
  std::string rest{};    ///< from the point or the exponent on
};

/// Returns a number with its sign, grouping and padding. `group` is the number of digits between
/// separators.
std::string lay_out_number(const NumberText& number, const detail::FormatSpec& spec, std::size_t group = 3);

/// Pads a text that already has its sign. `align` applies if the spec names no alignment.
std::string pad(const std::string& text, const detail::FormatSpec& spec, char align);

}  // namespace torchbook::pyrepr::inline v1
