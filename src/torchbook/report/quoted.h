// Texts that reports quote: what cannot be seen has a picture, and what is huge is cut.
#pragma once

#include <torchbook/golden/verdict.h>

#include <string>
#include <string_view>

namespace torchbook::report {

/// Whether the newlines and tabs of a text stay, or have pictures as well.
enum class Breaks { kept, pictured };

/// Returns the text as UTF-8 that any reader shows and none obeys. What cannot be seen, or acts on the text
/// around it, has a picture: the control characters of ASCII (`␛`), those of U+0080 to U+009F (`<U+009B>`),
/// marks of direction (`<U+202E>`), characters that XML and HTML cannot hold, and bytes that are no UTF-8
/// (`<0xFF>`).
std::string pictured(std::string_view text, Breaks breaks = Breaks::kept);

/// Returns the text in one line, pictured. A long one is cut in its middle, with its length behind it:
/// `0.3333…3333 (4000 characters)`.
std::string shortened(std::string_view text);

/// The first differing line of both sides, and the marker of the first character that differs.
struct QuotedLines {
  std::string golden;  ///< pictured; `(nothing more)` where that side has ended
  std::string actual;
  std::string marker;  ///< `^`, with as many spaces before it as there are columns before that character
};

/// Quotes both lines. Where one is long, both are cut around the difference, and what was cut has its length
/// behind it.
QuotedLines quoted_lines(const golden::Difference& difference);

}  // namespace torchbook::report
