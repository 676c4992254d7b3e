// Prepares texts for quotation: invisible characters become visible, and long texts are cut.
#pragma once

#include <torchbook/golden/judge.h>

#include <string>
#include <string_view>

namespace torchbook::report {

/// Whether the newlines and tabs of a text stay, or become visible as well.
enum class Breaks { kept, pictured };

/// Returns the text as valid UTF-8 that cannot control a terminal or reorder the text around it.
/// These are replaced: ASCII control characters (`␛`), the control characters U+0080 to U+009F
/// (`<U+009B>`), direction marks (`<U+202E>`), characters that XML and HTML forbid, and bytes that
/// are not UTF-8 (`<0xFF>`).
std::string pictured(std::string_view text, Breaks breaks = Breaks::kept);

/// Returns the text in one line, pictured(). A long text is cut in its middle, and its length follows:
/// `0.3333…3333 (4000 characters)`.
std::string shortened(std::string_view text);

/// The first differing line of both sides, and a marker for its first differing character.
struct QuotedLines {
  /// pictured(); `(an empty line)`, or `(nothing more)` if that side has ended.
  std::string golden;
  std::string actual;  ///< likewise
  std::string marker;  ///< `^` below the first character that differs, with spaces before it
};

/// Quotes both lines. If one of them is long, cuts both around the difference and appends their
/// lengths.
QuotedLines quoted_lines(const golden::LineDifference& difference);

}  // namespace torchbook::report
