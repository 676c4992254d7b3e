// Reads Python's format specification mini-language:
// [[fill]align][sign][z][#][0][width][grouping][.precision][type].
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace torchbook::pyrepr::inline v1 {

/// A format spec in parts. A character that was not given is 0.
struct FormatSpec {
  std::string fill = " ";  ///< one character in UTF-8
  char align = 0;          ///< `<`, `>`, `^` or `=`
  char sign = 0;           ///< `+`, `-` or a space
  bool no_negative_zero = false;
  bool alternate = false;
  std::size_t width = 0;
  char grouping = 0;  ///< `,` or `_`
  std::optional<int> precision;
  char32_t type = 0;
};

/// The Python type of the value that a spec is for.
struct FormattedType {
  std::string_view name;   ///< for messages: `int`
  std::string_view codes;  ///< the presentation types that this type accepts
  char default_code = 0;   ///< the presentation type if the spec names none
};

/// Parses the spec of a value of type `of`. Throws fmt::format_error with Python's message if Python rejects
/// it.
FormatSpec parse_format_spec(std::string_view text, const FormattedType& of);

/// Returns whether a presentation type is one of `codes`.
inline bool is_one_of(char32_t type, std::string_view codes) {
  return type < 0x80 && codes.find(static_cast<char>(type)) != codes.npos;
}

/// A number in parts. Grouping separates only the digits of `whole`.
struct NumberText {
  bool negative = false;
  std::string prefix{};  ///< `0x`
  std::string whole{};   ///< digits before the point, or `inf`, `nan`
  std::string rest{};    ///< from the point or the exponent on
};

/// Puts sign, grouping, fill and width around a number. `group` is the number of digits between separators.
std::string lay_out_number(const NumberText& number, const FormatSpec& spec, std::size_t group = 3);

/// Pads a text that already has its sign. `align` applies if the spec names no alignment.
std::string pad(const std::string& text, const FormatSpec& spec, char align);

}  // namespace torchbook::pyrepr::inline v1
