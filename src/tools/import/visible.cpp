#include <fmt/format.h>
#include <tools/import/visible.h>
#include <torchbook/pyrepr/utf8.h>

namespace torchbook::importing {
namespace {

using pyrepr::detail::first_character;

bool is_between(char32_t code, char32_t first, char32_t last) { return code >= first && code <= last; }

bool is_escaped_byte(char32_t code) { return is_between(code, 0xDC80, 0xDCFF); }

bool is_hidden(char32_t code) {
  const bool control = (code < 0x20 && code != '\n' && code != '\t') || is_between(code, 0x7F, 0x9F);
  const bool direction = code == 0x061C || is_between(code, 0x200B, 0x200F) ||
                         is_between(code, 0x2028, 0x202E) || is_between(code, 0x2060, 0x2069);
  return control || direction || code == 0xFEFF || is_escaped_byte(code);
}

}  // namespace

std::string visible(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const auto character = first_character(text);
    if (is_hidden(character.code)) {
      const auto code = is_escaped_byte(character.code) ? character.code - 0xDC00 : character.code;
      result += fmt::format("<U+{:04X}>", static_cast<unsigned>(code));
    } else {
      result += text.substr(0, character.length);
    }
    text.remove_prefix(character.length);
  }
  return result;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto character = first_character(text);
    if (is_escaped_byte(character.code)) return false;
    text.remove_prefix(character.length);
  }
  return true;
}

}  // namespace torchbook::importing
