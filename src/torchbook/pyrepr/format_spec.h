// Python's format specification mini-language:
// [[fill]align][sign][z][#][0][width][grouping][.precision][type].
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace torchbook::pyrepr {

/// A format spec, read. Characters that were not given are 0.
struct FormatSpec {
  std::string fill = " ";  ///< one character, in UTF-8
  char align = 0;          ///< `<` `>` `^` `=`
  char sign = 0;           ///< `+` `-` or a space
  bool no_negative_zero = false;
  bool alternate = false;
  std::size_t width = 0;
  char grouping = 0;  ///< `,` or `_`
  std::optional<int> precision;
  char type = 0;
};

/// Reads the spec of a value whose Python type is `of`. Throws fmt::format_error with Python's message where
/// Python does not take it.
FormatSpec parse_format_spec(std::string_view text, std::string_view of);

/// A number in pieces: what stands before its digits, the digits that grouping separates, and the rest.
struct NumberText {
  bool negative = false;
  std::string prefix{};  ///< `0x`
  std::string whole{};   ///< digits before the point, or `inf`, `nan`
  std::string rest{};    ///< from the point or exponent on
};

/// Puts sign, grouping, fill and width around a number; `group` digits stand between separators.
std::string lay_out_number(const NumberText& number, const FormatSpec& spec, std::size_t group = 3);

/// Puts fill and width around a text that has its sign already. `align` is what the spec leaves unsaid.
std::string pad(const std::string& text, const FormatSpec& spec, char align);

}  // namespace torchbook::pyrepr
