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
  char32_t type = 0;
};

/// The Python type of the value that a spec is for.
struct FormattedType {
  std::string_view name;   ///< `int`
  std::string_view codes;  ///< the presentation types that it has
  char default_code = 0;   ///< the one that it has without saying
};

/// Reads the spec of a value of a type. Throws fmt::format_error with Python's message where Python does not
/// take it.
FormatSpec parse_format_spec(std::string_view text, const FormattedType& of);

/// Whether a presentation type is one of `codes`.
inline bool is_one_of(char32_t type, std::string_view codes) {
  return type < 0x80 && codes.find(static_cast<char>(type)) != codes.npos;
}

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
