// Says which texts can be the label of a cell.
#pragma once

#include <string_view>

namespace torchbook::notebook {

/// The rule that is_label() checks, as error messages state it.
inline constexpr std::string_view label_rule =
    "a label must have 1 to 64 bytes, no brackets and no control characters";

/// Returns whether a text has control characters, those of U+0080 to U+009F included.
inline bool has_control_characters(std::string_view text) {
  bool lead = false;  // of U+0080 to U+00BF, whose first half are control characters
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7F || (lead && code >= 0x80 && code < 0xA0)) return true;
    lead = code == 0xC2;
  }
  return false;
}

/// Returns whether a text can be a label. Labels are written between brackets, and messages show
/// them in full.
inline bool is_label(std::string_view text) {
  return !text.empty() && text.size() <= 64 && text.find_first_of("[]") == text.npos &&
         !has_control_characters(text);
}

}  // namespace torchbook::notebook
