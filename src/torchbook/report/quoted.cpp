#include <fmt/format.h>
#include <torchbook/pyrepr/utf8.h>
#include <torchbook/report/quoted.h>
#include <torchbook/report/words.h>

#include <algorithm>

namespace torchbook::report {
namespace {

constexpr std::size_t most_characters = 400;  // the longest line or value that is quoted as a whole
constexpr std::size_t kept_before = 100;      // how many stay before a difference or before the cut
constexpr std::size_t kept_behind = 100;
constexpr std::string_view cut = "…";

bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

/// Returns whether a character changes the direction in which the text around it is read.
bool is_direction(char32_t code) {
  return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

bool is_noncharacter(char32_t code) {
  return (code >= 0xFDD0 && code <= 0xFDEF) || (code & 0xFFFE) == 0xFFFE;
}

/// Returns the Unicode picture of an ASCII control character, such as ␛.
std::string control_picture(char32_t code) {
  return {'\xE2', '\x90', static_cast<char>(code == 0x7F ? 0xA1 : 0x80 + code)};
}

/// Returns how many bytes the first `characters` characters of a text take.
std::size_t bytes_of(std::string_view text, std::size_t characters) {
  std::size_t bytes = 0;
  for (; characters > 0 && bytes < text.size(); --characters) {
    bytes += pyrepr::detail::first_character(text.substr(bytes)).length;
  }
  return bytes;
}

std::size_t length_of(std::string_view text) {
  std::size_t characters = 0;
  for (; !text.empty(); ++characters) text.remove_prefix(pyrepr::detail::first_character(text).length);
  return characters;
}

std::string length_note(std::string_view text) {
  return fmt::format(" ({})", counted(length_of(text), "character"));
}

/// Returns the start of the character that contains the byte `at` of a line, or the line's end.
std::size_t start_of_character(std::string_view line, std::size_t at) {
  std::size_t start = 0;
  while (start < at && start < line.size()) {
    const auto next = start + pyrepr::detail::first_character(line.substr(start)).length;
    if (next > at) break;
    start = next;
  }
  return start;
}

/// Returns the start of the character that contains the first differing byte. Both lines are equal
/// up to that byte.
std::size_t start_of_difference(const golden::LineDifference& difference) {
  const auto in = [&](const std::optional<std::string>& line) {
    return start_of_character(line.value_or(""), difference.column - 1);
  };
  return std::min(in(difference.golden), in(difference.actual));
}

/// Returns how many columns a pictured line takes: one for each character.
std::size_t columns_of(std::string_view line) {
  return static_cast<std::size_t>(std::count_if(
      line.begin(), line.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Quotes `rest`, the end of the line `whole`. If `is_cut`, cuts a long rest and appends the line's
/// length.
std::string quoted_rest(std::string_view rest, std::string_view whole, bool is_cut) {
  const auto kept = is_cut ? bytes_of(rest, kept_behind) : rest.size();
  std::string text = pictured(rest.substr(0, kept), Breaks::pictured);
  if (kept < rest.size()) text += cut;
  return is_cut ? text + length_note(whole) : text;
}

}  // namespace

std::string pictured(std::string_view text, Breaks breaks) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto [code, length] = pyrepr::detail::first_character(text);
    const bool is_break = code == '\n' || code == '\t';
    if (code >= 0xDC00 && code <= 0xDCFF) {
      result += fmt::format("<0x{:02X}>", static_cast<std::uint32_t>(code) - 0xDC00);
    } else if (is_control(code) && !(is_break && breaks == Breaks::kept)) {
      result +=
          code < 0x80 ? control_picture(code) : fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(code));
    } else if (is_direction(code) || is_noncharacter(code)) {
      result += fmt::format("<U+{:04X}>", static_cast<std::uint32_t>(code));
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return result;
}

std::string shortened(std::string_view text) {
  const auto length = length_of(text);
  if (length <= most_characters) return pictured(text, Breaks::pictured);
  const auto head = bytes_of(text, kept_before);
  const auto tail = head + bytes_of(text.substr(head), length - kept_before - kept_behind);
  return fmt::format("{}{}{}{}", pictured(text.substr(0, head), Breaks::pictured), cut,
                     pictured(text.substr(tail), Breaks::pictured), length_note(text));
}

QuotedLines quoted_lines(const golden::LineDifference& difference) {
  const auto is_long = [](const std::optional<std::string>& line) {
    return line && length_of(*line) > most_characters;
  };
  const bool is_cut = is_long(difference.golden) || is_long(difference.actual);
  const auto start = start_of_difference(difference);
  const std::string_view line = difference.golden ? *difference.golden : *difference.actual;
  const auto before = line.substr(0, start);
  const auto characters = length_of(before);
  const auto left_out = is_cut && characters > kept_before ? bytes_of(before, characters - kept_before) : 0;
  const std::string head =
      std::string(left_out == 0 ? "" : cut) + pictured(before.substr(left_out), Breaks::pictured);
  const auto side = [&](const std::optional<std::string>& whole) -> std::string {
    if (!whole) return "(nothing more)";
    if (whole->empty()) return "(an empty line)";
    return head + quoted_rest(std::string_view(*whole).substr(start), *whole, is_cut);
  };
  return {.golden = side(difference.golden),
          .actual = side(difference.actual),
          .marker = std::string(columns_of(head), ' ') + '^'};
}

}  // namespace torchbook::report
