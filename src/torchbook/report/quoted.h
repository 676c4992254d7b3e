// Prepares texts for quotation: invisible characters become visible, and long texts are cut.
#pragma once

#include <torchbook/golden/verdict.h>

#include <string>
#include <string_view>

namespace torchbook::report {

/// Whether the newlines and tabs of a text stay, or become visible as well.
enum class Breaks { kept, pictured };

/// Returns the text as UTF-8 that any reader shows and none obeys. Characters that are invisible or change
/// the text around them are replaced: the control characters of ASCII (`␛`), those of U+0080 to U+009F
/// (`<U+009B>`), marks of direction (`<U+202E>`), characters that XML and HTML cannot hold, and bytes that
/// are not UTF-8 (`<0xFF>`).
std::string pictured(std::string_view text, Breaks breaks = Breaks::kept);

/// Returns the text in one line, pictured(). A long text is cut in its middle, and its length follows:
/// `0.3333…3333 (4000 characters)`.
std::string shortened(std::string_view text);

/// The first differing line of both sides, and the marker of the first character that differs.
struct QuotedLines {
  /// pictured(); `(an empty line)`, or `(nothing more)` if that side has ended.
  std::string golden;
  std::string actual;  ///< likewise
  std::string marker;  ///< `^` below the first character that differs, with spaces before it
};

/// Quotes both lines. If one of them is long, both are cut around the difference, and the length of a cut
/// line follows it.
QuotedLines quoted_lines(const golden::LineDifference& difference);

}  // namespace torchbook::report
